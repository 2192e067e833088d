"""Decorators: one with `wraps`, one without, one that times, and `lru_cache` on a helper."""

import functools
import time


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            wrapper.seconds = time.perf_counter() - start

    return wrapper


def plain(function):
    return lambda *args: function(*args)


@functools.lru_cache(maxsize=None)
def ranks_of(merges):
    return {pair: rank for rank, pair in enumerate(merges)}


@plain
@timed
def encode_bpe(word, merges):
    ranks = ranks_of(tuple(merges))
    symbols = list(word)
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        i = pairs.index(best)
        symbols[i : i + 2] = [best[0] + best[1]]
    return symbols
