"""The steps before the record: trainers as they are first written, on a table of pre-tokens.

`lazy_heap` is the design most often published: tokens in lists, an index from each pair to its
words, a heap with an entry for every count that changed, entries out of date skipped. In
`fewer_pushes` a count that falls is only noticed at the top of the heap. `neighbours` changes
the three pairs a merge touches, instead of counting the whole word again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import pairwise

Pair = tuple[int, int]
Merges = list[tuple[bytes, bytes]]


class Greatest:
    """Bytes turned around: what sorts last comes first out of a heap."""

    __slots__ = ("pair",)

    def __init__(self, pair: tuple[bytes, bytes]) -> None:
        self.pair = pair

    def __lt__(self, other: Greatest) -> bool:
        return self.pair > other.pair


class State:
    """Words as lists of ids, their counts, and for each pair its count and its words."""

    def __init__(self, pretokens: Counter[bytes]) -> None:
        self.tokens = [bytes([value]) for value in range(256)]
        self.words = [list(word) for word in pretokens]
        self.counts = list(pretokens.values())
        self.stats: dict[Pair, int] = defaultdict(int)
        self.where: dict[Pair, set[int]] = defaultdict(set)
        for index, word in enumerate(self.words):
            for pair in pairwise(word):
                self.stats[pair] += self.counts[index]
                self.where[pair].add(index)
        self.heap = [self.entry(pair) for pair in self.stats]
        heapify(self.heap)

    def entry(self, pair: Pair) -> tuple[int, Greatest, Pair]:
        left, right = pair
        return -self.stats[pair], Greatest((self.tokens[left], self.tokens[right])), pair

    def pop(self, refile: bool) -> Pair | None:
        """The pair to merge; `refile` puts one that has fallen back, with the count it has."""
        while self.heap:
            count, _, pair = heappop(self.heap)
            now = self.stats.get(pair, 0)
            if now and now == -count:
                return pair
            if now and refile and now < -count:
                heappush(self.heap, self.entry(pair))
        return None

    def merge_words(self, pair: Pair, new: int) -> set[Pair]:
        """Count each word that holds the pair anew; return the pairs whose counts changed."""
        changed = set()
        for index in self.where.pop(pair):
            word, count = self.words[index], self.counts[index]
            for old in pairwise(word):
                self.stats[old] -= count
                changed.add(old)
            self.words[index] = word = merged(word, pair, new)
            for each in pairwise(word):
                self.stats[each] += count
                self.where[each].add(index)
                changed.add(each)
        return changed

    def merge_neighbours(self, pair: Pair, new: int) -> set[Pair]:
        """Change the pairs beside each place of the pair; return those that were born."""
        left, right = pair
        born = set()
        for index in self.where.pop(pair):
            word, count = self.words[index], self.counts[index]
            out: list[int] = []
            at = 0
            while at < len(word):
                if word[at] == left and word[at : at + 2] == [left, right]:
                    if out:
                        self.stats[out[-1], left] -= count
                        self.stats[out[-1], new] += count
                        self.where[out[-1], new].add(index)
                        born.add((out[-1], new))
                    if at + 2 < len(word):
                        self.stats[right, word[at + 2]] -= count
                        self.stats[new, word[at + 2]] += count
                        self.where[new, word[at + 2]].add(index)
                        born.add((new, word[at + 2]))
                    out.append(new)
                    at += 2
                else:
                    out.append(word[at])
                    at += 1
            self.words[index] = out
        self.stats[pair] = 0
        return born


def merged(word: list[int], pair: Pair, new: int) -> list[int]:
    """A copy of the word with the pair merged from left to right."""
    out: list[int] = []
    for token in word:
        if out and token == pair[1] and out[-1] == pair[0]:
            out[-1] = new
        else:
            out.append(token)
    return out


def learn(
    pretokens: Counter[bytes],
    room: int,
    merge: Callable[[State, Pair, int], set[Pair]],
    refile: bool,
) -> Merges:
    """Up to `room` merges, in order."""
    state = State(pretokens)
    merges: Merges = []
    while len(merges) < room and (pair := state.pop(refile)):
        left, right = (state.tokens[each] for each in pair)
        merges.append((left, right))
        state.tokens.append(left + right)
        new = len(state.tokens) - 1
        for changed in merge(state, pair, new):
            if state.stats.get(changed) and (not refile or new in changed):
                heappush(state.heap, state.entry(changed))
    return merges


def lazy_heap(pretokens: Counter[bytes], room: int) -> Merges:
    return learn(pretokens, room, State.merge_words, refile=False)


def fewer_pushes(pretokens: Counter[bytes], room: int) -> Merges:
    return learn(pretokens, room, State.merge_words, refile=True)


def neighbours(pretokens: Counter[bytes], room: int) -> Merges:
    return learn(pretokens, room, State.merge_neighbours, refile=True)
