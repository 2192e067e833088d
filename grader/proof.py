"""Whether a list of merges is one that training can give, and by which rule it decides ties.

Trainers that decide ties differently give different merges, and all of them may be right.
So the merges are replayed: each has to join a pair that no other outnumbers at that moment,
and where several are equally frequent, the one that was taken tells the rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from grader.model import Proof
from grader.peers import CHARACTERS

Pair = tuple[str, str]  # a token is a string with one character a byte
Merges = Sequence[tuple[bytes, bytes]]
MOST_CANDIDATES = 1_000_000  # of all ties that are looked at; later ones are not


def recovered(tokens: Sequence[bytes]) -> list[tuple[bytes, bytes]] | None:
    """The pairs that made these tokens, in order; None where one is not made of two others."""
    ranks: dict[bytes, int] = {}
    merges = []
    for rank, token in enumerate(tokens):
        parts = [token[i : i + 1] for i in range(len(token))]
        while len(parts) > 2:
            known = [(ranks.get(a + b, rank), i) for i, (a, b) in enumerate(pairwise(parts))]
            lowest, i = min(known)
            if lowest == rank:
                break
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
        if len(parts) != 2:
            return None
        merges.append((parts[0], parts[1]))
        ranks.setdefault(token, rank)
    return merges


def examine(words: Mapping[str, int], merges: Merges) -> Proof:
    """Replay the merges on the pre-tokens of the text they were learned from."""
    state = _State(words)
    chosen = _Rules()
    for at, (left, right) in enumerate(merges):
        pair = left.decode("latin-1"), right.decode("latin-1")
        tied = state.most_frequent()
        if pair not in tied:
            return Proof(at, chosen.ties, chosen.best())
        chosen.note(pair, tied)
        state.merge(pair)
        chosen.learn("".join(pair))
    return Proof(None, chosen.ties, chosen.best())


class _Rules:
    """How often each rule would have taken the pair that was taken."""

    def __init__(self) -> None:
        self._ids = {chr(byte): byte for byte in range(256)}
        self._printed = {chr(byte): i for i, byte in enumerate(CHARACTERS.values())}
        self._agreed = dict.fromkeys(self._choices(), 0)
        self._room = MOST_CANDIDATES
        self.ties = 0

    def _choices(self) -> dict[str, Callable[[Iterable[Pair]], Pair]]:
        ids, printed = self._ids, self._printed
        return {
            "the greatest bytes": max,
            "the smallest bytes": min,
            "the lowest ids": lambda tied: min(tied, key=lambda p: (ids[p[0]], ids[p[1]])),
            "the lowest ids, bytes in GPT-2's printed order": lambda tied: min(
                tied, key=lambda p: (printed[p[0]], printed[p[1]])
            ),
            "the highest ids": lambda tied: max(tied, key=lambda p: (ids[p[0]], ids[p[1]])),
        }

    def note(self, pair: Pair, tied: set[Pair]) -> None:
        self._room -= len(tied)
        if len(tied) > 1 and self._room > 0:
            self.ties += 1
            for name, choose in self._choices().items():
                self._agreed[name] += choose(tied) == pair

    def learn(self, token: str) -> None:
        for ids in (self._ids, self._printed):
            ids.setdefault(token, len(ids))

    def best(self) -> tuple[str, int]:
        """The rule that agrees most often, and how often."""
        return max(self._agreed.items(), key=lambda item: item[1])


class _State:
    """Words, and the pairs in them by their counts."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._words = [list(word.encode().decode("latin-1")) for word in words]
        self._counts = list(words.values())
        self._stats: Counter[Pair] = Counter()
        self._where: dict[Pair, set[int]] = defaultdict(set)
        self._by_count: dict[int, set[Pair]] = defaultdict(set)
        for i, (word, count) in enumerate(zip(self._words, self._counts, strict=True)):
            for pair in pairwise(word):
                self._stats[pair] += count
                self._where[pair].add(i)
        for pair, count in self._stats.items():
            self._by_count[count].add(pair)
        self._heap = [-count for count in self._by_count]
        heapify(self._heap)

    def most_frequent(self) -> set[Pair]:
        """The pairs with the highest count; empty when there is none."""
        while self._heap and not self._by_count.get(-self._heap[0]):
            self._by_count.pop(-heappop(self._heap), None)
        return self._by_count[-self._heap[0]] if self._heap else set()

    def merge(self, pair: Pair) -> None:
        changes: Counter[Pair] = Counter()
        for i in self._where.pop(pair):
            before, count = self._words[i], self._counts[i]
            after = _merged(before, pair)
            if len(after) == len(before):
                continue
            for old in pairwise(before):
                changes[old] -= count
            for new in pairwise(after):
                changes[new] += count
                self._where[new].add(i)
            self._words[i] = after
        for each, change in changes.items():
            if change:
                self._recount(each, change)

    def _recount(self, pair: Pair, change: int) -> None:
        count = self._stats[pair]
        self._by_count[count].discard(pair)
        self._stats[pair] = count + change
        if count + change:
            if count + change not in self._by_count:
                heappush(self._heap, -count - change)
            self._by_count[count + change].add(pair)
        else:
            del self._stats[pair]


def _merged(word: list[str], pair: Pair) -> list[str]:
    left, right = pair
    merged: list[str] = []
    for symbol in word:
        if symbol == right and merged and merged[-1] == left:
            merged[-1] = left + right
        else:
            merged.append(symbol)
    return merged
