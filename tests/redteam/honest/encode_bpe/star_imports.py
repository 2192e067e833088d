"""Everything of a few modules at once."""

from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from typing import *


def encode_bpe(word, merges):
    ranks = defaultdict(lambda: inf, zip(merges, count()))
    symbols = list(word)
    while len(symbols) > 1:
        rank, i = min((ranks[pair], i) for i, pair in enumerate(pairwise(symbols)))
        if rank == inf:
            break
        symbols[i : i + 2] = ["".join(symbols[i : i + 2])]
    return symbols
