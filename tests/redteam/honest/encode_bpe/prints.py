"""Prints at import and in the function, to both streams, also characters no terminal has."""

import sys

print("loading", __name__, "\u2603 \ud83d\ude00")
print("on stderr", file=sys.stderr)


def encode_bpe(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        print(f"{symbols=} {best=}", flush=True)
        if best not in ranks:
            break
        i = pairs.index(best)
        symbols[i : i + 2] = [best[0] + best[1]]
    return symbols
