"""A linked list of symbols, and for each rank the places where its pair has been seen.

Ranks are used up from the lowest, the places of a rank from left to right. A merge looks
at its two neighbours only, so no scan of the word is ever repeated: the time of a word of
n characters is near n log n, whatever the word and the table.
"""

from heapq import heappop, heappush
from itertools import pairwise


def encode_bpe(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Split a word into the symbols that a list of learned merges gives.

    Training has left a list of merges, each a pair of symbols, in the order in which they
    were learned. The index of a merge is its rank: rank 0 was learned first. Encoding
    repeats on a new word what training did to the words of its corpus.

    Start with the characters of `word` as symbols. Then repeat:

    1. Look at all pairs of adjacent symbols. Of those that are merges, take the one of
       lowest rank, wherever in the word it stands.
    2. If that pair stands at several places, take the leftmost.
    3. Replace the two symbols there by one, their concatenation.

    Stop when no pair of adjacent symbols is a merge. Return the symbols as a `list` of
    `str`, in order.

    - The rank decides, and nothing else: not the length of a symbol, not its place in the
      word, not how few symbols come out at the end.
    - A character that no merge mentions stays a symbol of its own. It may be any
      character, also a space.
    - Joined together, the symbols are always exactly `word`. An empty word gives `[]`, and
      with an empty list of merges the answer is the characters.
    - `merges` is always a list that training can produce, and has no pair twice. On such a
      list it makes no difference whether you merge one place at a time, as above, or all
      places of the lowest-ranked pair at once, from left to right. Both are accepted.

    Do not change `merges`.

    Stretch, the next question in an interview: let the word have 100,000 characters, all
    of them one letter or all of them random, with thousands of merges. Can you answer
    within seconds?

    The merges below were learned from the words tea, teas, eat, eats, seat and set. On the
    way through `steat` the word reads `s t ea t`. There `("t", "ea")` stands further left,
    but `("ea", "t")` has the lower rank, so the answer ends in `eat`.

    >>> merges = [("e", "a"), ("ea", "t"), ("t", "ea"), ("s", "eat"), ("e", "t"), ("eat", "s")]
    >>> encode_bpe("seats", merges)
    ['seat', 's']
    >>> encode_bpe("steat", merges)
    ['s', 't', 'eat']
    >>> encode_bpe("eats!", merges)
    ['eats', '!']
    """
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = [*word, ""]  # the last one is past both ends: as symbols[-1] it is before the first
    before = list(range(-1, len(word)))
    after = list(range(1, len(word) + 2))
    places: dict[int, list[int]] = {}  # rank -> left ends of its pair, some of them outdated
    for left, pair in enumerate(pairwise(word)):
        if pair in ranks:
            places.setdefault(ranks[pair], []).append(left)
    queue = sorted(places)  # the ranks in `places`, a heap

    def note(left: int, right: int) -> None:
        """Remember the pair at these two neighbours, if it is a merge."""
        rank = ranks.get((symbols[left], symbols[right]))
        if rank in places:
            places[rank].append(left)
        elif rank is not None:
            places[rank] = [left]
            heappush(queue, rank)

    while queue:
        rank = heappop(queue)
        pair, joined = merges[rank], "".join(merges[rank])
        lefts = sorted(places.pop(rank))
        for done, left in enumerate(lefts, start=1):
            right = after[left]
            if (symbols[left], symbols[right]) != pair:
                continue  # outdated: another merge has taken one of the two
            symbols[left] = joined
            symbols[right] = ""
            after[left] = after[right]
            before[after[left]] = left
            note(before[left], left)
            note(left, after[left])
            if queue and queue[0] < rank:  # only in a list that no training makes
                places[rank] = lefts[done:]
                heappush(queue, rank)
                break
    return [symbol for symbol in symbols if symbol]
