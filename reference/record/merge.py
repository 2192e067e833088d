"""Merge: look only at what changes, and write down only what may come to matter.

A pair is born when the younger of its tokens is made; afterwards its count can only fall. So its
places are written down once, at birth, and none is ever looked for again. A pair that starts out
below a floor is not written down at all, nor is any born out of it: it cannot count more.
"""

from collections import defaultdict
from collections.abc import Callable
from operator import add

from reference.record.pack import END, Row, count_of
from reference.record.queue import PairQueue


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
            left, right = tokens[ord(pair[0])], tokens[ord(pair[1])]
            merges.append((left, right))
            tokens.append(left + right)
            for born in table.merge(pair, chr(len(tokens) - 1)):
                queue.push(born)
            report(len(merges))
        floor //= 4  # the pairs above it have run out
        del table, queue  # before the next is built
    return merges


class PairTable:
    """For each pair that counts at least `floor`: its count, and where it is.

    `where[pair]` has a row once for every time the row held the pair when the pair was born.
    Later, it may name rows that have lost the pair.
    """

    def __init__(self, rows: list[Row], floor: int) -> None:
        self.floor = floor
        where: defaultdict[str, list[Row]] = defaultdict(list)
        for row in rows:
            text = row.text
            for pair in map(add, text, text[1:]):
                where[pair].append(row)
        stats = {pair: sum(map(count_of, rows)) for pair, rows in where.items() if END not in pair}
        self.stats = {pair: count for pair, count in stats.items() if count >= floor}
        self.where = {pair: where[pair] for pair in self.stats}

    def merge(self, pair: str, new: str) -> list[str]:
        """Write `new` for `pair` everywhere; return the pairs born of it, with counts final."""
        first, second = pair[0], pair[1]
        lefts: defaultdict[str, list[Row]] = defaultdict(list)
        rights: defaultdict[str, list[Row]] = defaultdict(list)
        # One place after the other, from left to right: what is left of one may be `new`
        # already, what is right of it is not merged yet.
        for row in self.where[pair]:
            before, found, after = row.text.partition(pair)
            if found:
                row.text = before + new + after
                lefts[before[-1]].append(row)
                rights[after[0]].append(row)
        # Rights first: in abab the second merge takes away the (new, a) made by the first.
        moves = [(second + right, new + right, rows) for right, rows in rights.items()]
        moves += [(left + first, left + new, rows) for left, rows in lefts.items()]
        stats, where, floor = self.stats, self.where, self.floor
        for old, born, rows in moves:
            count = stats.get(old)
            if count is None:
                continue  # too rare, and so is what is born of it
            moved = sum(map(count_of, rows))
            if moved >= floor:
                stats[born], where[born] = moved, rows
            if count - moved >= floor:
                stats[old] = count - moved
            else:
                del stats[old], where[old]
        if pair in stats:
            del stats[pair], where[pair]
        return [born for _, born, _ in moves if born in stats]
