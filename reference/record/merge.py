"""Merge: look only at what changes, and write down only what may come to matter.

A pair is born when the younger of its tokens is made; afterwards its count can only fall. So its
places are written down once, at birth, and none is ever looked for again. A pair that starts out
below a floor is not written down at all, nor is any born out of it: it cannot count more.
"""

from collections import defaultdict, deque
from collections.abc import Callable
from operator import add

from reference.record.pack import END, Row, count_of
from reference.record.queue import PairQueue

#: The places of pairs that are not written down: it takes all, and keeps nothing.
NOWHERE: deque[Row] = deque(maxlen=0)

Places = list[Row] | deque[Row]


def learn_merges(
    rows: list[Row], room: int, floor: int, report: Callable[[int], None]
) -> list[tuple[bytes, bytes]]:
    """Up to `room` merges, in order. Which floor comes first does not change them."""
    tokens = [bytes([value]) for value in range(256)]
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < room and floor:
        table = PairTable(rows, floor)
        queue = PairQueue(table.stats, tokens)
        while len(merges) < room and (pair := queue.pop()):
            left, right = (tokens[ord(token)] for token in pair)
            merges.append((left, right))
            tokens.append(left + right)
            for born in table.merge(pair, chr(len(tokens) - 1)):
                queue.push(born)
            report(len(merges))
        floor //= 4  # the pairs above it have run out
    return merges


class PairTable:
    """For each pair that counts at least `floor`: its count, and where it is.

    `where[pair]` has a row once for every time the row held the pair when the pair was born.
    Later, it may name rows that have lost the pair.
    """

    def __init__(self, rows: list[Row], floor: int) -> None:
        self.floor = floor
        where: defaultdict[str, Places] = defaultdict(list)
        for row in rows:
            text = row.text
            for pair in map(add, text, text[1:]):
                where[pair].append(row)
        stats = {pair: weigh(places) for pair, places in where.items() if END not in pair}
        self.stats = {pair: count for pair, count in stats.items() if count >= floor}
        self.where = {pair: where[pair] for pair in self.stats}

    def merge(self, pair: str, new: str) -> list[str]:
        """Write `new` for `pair` everywhere; return the pairs born of it, with counts final."""
        stats, where = self.stats, self.where
        first, second = pair
        places = where.pop(pair)
        del stats[pair]
        lefts = Neighbours(stats, "", first)
        rights = Neighbours(stats, second, "")
        # The merges of a row go from left to right, one at a time: left of a pair may be `new`
        # already, right of it may be another pair, not merged yet.
        lefts[new] = []
        rights[first] = [] if first == second else rights[first]
        for row in places:
            before, found, after = row.text.partition(pair)
            if found:
                row.text = before + new + after
                lefts[before[-1]].append(row)
                rights[after[0]].append(row)
        # Rights first: in abab the second merge takes away the (new, a) made by the first.
        moves = [(second + right, new + right, at) for right, at in rights.items() if at]
        moves += [(left + first, left + new, at) for left, at in lefts.items() if at]
        for old, born, at in moves:
            stats[born], where[born] = weigh(at), at
            if old in stats:
                stats[old] -= stats[born]
        for old, born, _ in moves:
            for changed in (old, born):
                if stats.get(changed, self.floor) < self.floor:
                    del stats[changed], where[changed]
        return [born for _, born, _ in moves if born in stats]


class Neighbours(dict[str, Places]):
    """What stands beside a pair, each with the rows: nowhere, if the two are not in the table."""

    def __init__(self, stats: dict[str, int], before: str, after: str) -> None:
        self.stats, self.before, self.after = stats, before, after

    def __missing__(self, token: str) -> Places:
        known = self.before + token + self.after in self.stats
        places = self[token] = [] if known else NOWHERE
        return places


def weigh(places: Places) -> int:
    """How often a pair occurs that is found at these places."""
    return sum(map(count_of, places))
