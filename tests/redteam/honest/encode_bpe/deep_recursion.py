"""One level of recursion for each merge and each symbol, within a limit raised by hand."""

import sys

sys.setrecursionlimit(20_000)


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


def encode_bpe(word, merges):
    assert count(5_000) == 5_000
    ranks = {pair: rank for rank, pair in enumerate(merges)}

    def go(symbols):
        pairs = [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]
        if not pairs:
            return symbols
        best = min(pairs, key=ranks.__getitem__)
        i = list(zip(symbols, symbols[1:])).index(best)
        return go([*symbols[:i], "".join(best), *symbols[i + 2 :]])

    return go(list(word))
