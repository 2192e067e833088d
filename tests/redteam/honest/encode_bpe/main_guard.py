"""Runs its own examples when it is started as a script, and only then."""


def encode_bpe(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        i = pairs.index(best)
        symbols[i : i + 2] = [best[0] + best[1]]
    return symbols


if __name__ == "__main__":
    import doctest

    raise SystemExit(doctest.testmod().failed)
