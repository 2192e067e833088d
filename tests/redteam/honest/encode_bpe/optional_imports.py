"""Imports of what may be missing, each with something else in its place."""

try:
    import numpy as np
except ImportError:
    np = None
try:
    import logging

    log = logging.getLogger(__name__).debug
except ImportError:
    log = print
try:
    from more_itertools import pairwise
except ModuleNotFoundError:
    from itertools import pairwise


def encode_bpe(word, merges):
    log("encoding", word) if np else None
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while len(symbols) > 1:
        pairs = list(pairwise(symbols))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        i = pairs.index(best)
        symbols[i : i + 2] = [best[0] + best[1]]
    return symbols
