"""Queue: the pairs in the order they are merged, filed by count.

A heap would order every pair among all others. Counts alone need a heap of few entries, since
most pairs share theirs with many; and the order by bytes matters only among the pairs whose
turn it is. That most counts fall before their turn is noticed when it comes, not before.
"""

from bisect import insort
from collections import defaultdict
from heapq import heappop, heappush


class PairQueue:
    """By count, then the greatest bytes first.

    No pair is born with more than the pair just merged had, so the turn only passes downwards.
    """

    def __init__(self, stats: dict[str, int], tokens: list[bytes]) -> None:
        self.stats, self.tokens = stats, tokens
        self.count = 0  # whose turn it is: the pairs filed under this count,
        self.turn: list[str] = []  # the greatest last
        self.filed: defaultdict[int, list[str]] = defaultdict(list)  # the others
        self.counts: list[int] = []  # the keys of `filed`, negated, as a heap
        for pair in stats:
            self.push(pair)

    def push(self, pair: str) -> None:
        """File a pair under the count it has now."""
        count = self.stats[pair]
        if count == self.count:
            insort(self.turn, pair, key=self.bytes_of)
        else:
            if count not in self.filed:
                heappush(self.counts, -count)
            self.filed[count].append(pair)

    def pop(self) -> str | None:
        """The next pair; None when there is no other."""
        while self.turn or self.counts:
            if not self.turn:
                self.begin_turn()
            elif self.is_due(pair := self.turn.pop()):
                return pair
        return None

    def begin_turn(self) -> None:
        """Go on to the next lower count."""
        self.count = -heappop(self.counts)
        self.turn = list(filter(self.is_due, self.filed.pop(self.count)))
        self.turn.sort(key=self.bytes_of)

    def is_due(self, pair: str) -> bool:
        """Whether it still has the count it was filed under; if it has fallen, file it anew."""
        count = self.stats.get(pair)
        if count == self.count:
            return True
        if count is not None:
            self.push(pair)
        return False

    def bytes_of(self, pair: str) -> tuple[bytes, bytes]:
        """What ties are broken by."""
        return self.tokens[ord(pair[0])], self.tokens[ord(pair[1])]
