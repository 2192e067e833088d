"""Generators, `yield from` and a walrus inside; a list at the end."""


def merged(symbols, pair):
    symbols = iter(symbols)
    held = next(symbols, None)
    while held is not None:
        following = next(symbols, None)
        if (held, following) == pair:
            yield "".join(pair)
            held = next(symbols, None)
        else:
            yield held
            held = following


def ranked(symbols, ranks):
    yield from ((ranks[pair], pair) for pair in zip(symbols, symbols[1:]) if pair in ranks)


def encode_bpe(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = [*word]
    while best := min(ranked(symbols, ranks), default=None):
        symbols = [*merged(symbols, best[1])]
    return symbols
