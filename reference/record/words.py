"""Words: the merges replayed on one pre-token, in a list if it is short, in a heap if it is long.

A symbol is a number: a byte is itself, and the token of rank r is 256 + r. Then the number of the
joined token is the rank of its pair, and the lowest is the one to merge.
"""

from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat

Pair = tuple[int, int]

NONE = 1 << 40  # the rank of a pair that is no merge
EDGE = -1  # the symbol past both ends, and that of a place which another has swallowed
LONG = 64  # symbols from which a heap is faster than lists


def number_pairs(merges: list[tuple[bytes, bytes]]) -> dict[Pair, int]:
    """The pairs of the merges, by number, each with the number of the token it makes."""
    numbers = {bytes([value]): value for value in range(256)}
    pairs: dict[Pair, int] = {}
    for rank, (left, right) in enumerate(merges):
        if left not in numbers or right not in numbers:
            raise ValueError(f"merge {rank} joins a token that no merge before it makes")
        pairs[numbers[left], numbers[right]] = 256 + rank
        numbers[left + right] = 256 + rank
    return pairs


def merge_word(word: bytes, pairs: dict[Pair, int]) -> list[int]:
    """The symbols of a word when every merge that can be replayed has been."""
    return (merge_short if len(word) < LONG else merge_long)(word, pairs)


def merge_short(word: bytes, pairs: dict[Pair, int]) -> list[int]:
    """The ranks are kept in a list beside the symbols, and patched where a merge changes them."""
    rank_of = pairs.get
    symbols = [*word, EDGE]  # before the first, too: it is symbols[-1]
    ranks = [*map(rank_of, pairwise(symbols), repeat(NONE)), NONE]
    while (lowest := min(ranks)) != NONE:
        at = ranks.index(lowest)
        symbols[at] = lowest
        del symbols[at + 1], ranks[at + 1]
        ranks[at - 1] = rank_of((symbols[at - 1], lowest), NONE)
        ranks[at] = rank_of((lowest, symbols[at + 1]), NONE)
    symbols.pop()
    return symbols


def merge_long(word: bytes, pairs: dict[Pair, int]) -> list[int]:
    """A linked list and a heap, whose entries are numbers: a rank, and below it a place."""
    rank_of = pairs.get
    size = len(word)
    symbols = [*word, EDGE]
    before = list(range(-1, size))
    after = list(range(1, size + 2))
    ranks = map(rank_of, pairwise(symbols), repeat(NONE))
    queue = [rank * size + at for at, rank in enumerate(ranks) if rank != NONE]
    heapify(queue)
    while queue:
        rank, at = divmod(heappop(queue), size)
        taken = after[at]
        if rank_of((symbols[at], symbols[taken])) != rank:
            continue  # another merge has changed what was here
        symbols[at], symbols[taken] = rank, EDGE
        after[at] = right = after[taken]
        before[right] = at
        left = before[at]
        if (born := rank_of((symbols[left], rank))) is not None:
            heappush(queue, born * size + left)
        if (born := rank_of((rank, symbols[right]))) is not None:
            heappush(queue, born * size + at)
    return [symbol for symbol in symbols if symbol != EDGE]
