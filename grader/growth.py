"""How CPU time grows with the size of the input: an exponent, fitted over four sizes or more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from statistics import median

from grader.model import Growth
from grader.pairs import LEAST_SLOT_S, SLACK_S, Seat, half_width
from grader.sandbox.host import Ended
from grader.slots import Axis

LEAST_SIZES, MOST_SIZES = 4, 5
LEAST_CALL_S = 0.0005
ROUNDS, MOST_ROUNDS = 3, 9
STEADY = 0.03  # a half-width of the exponents below this ends the measuring
MOST_COPIES = 64  # of a small call, to make a slot of `LEAST_SLOT_S`


def grow(seat: Seat, axis: Axis, *, budget_s: float, clock: Callable[[], float]) -> Growth:
    """Measure a function on larger and larger inputs, round after round.

    The exponent is None when the time did not hold four sizes, or the function failed.
    """
    if budget_s <= 0:
        return Growth(axis.name, None, None, (), ())
    meter = _Meter(seat, axis, clock, clock() + budget_s)
    rows = meter.rounds()
    sizes = meter.sizes[: len(rows[0])]
    seconds = tuple(median(column) for column in zip(*rows, strict=True))
    if len(sizes) < LEAST_SIZES:
        return Growth(axis.name, None, None, sizes, seconds)
    exponents = [exponent(sizes, row) for row in rows]
    return Growth(axis.name, median(exponents), half_width(exponents), sizes, seconds)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the line that fits the logarithms best: n^slope."""
    xs, ys = [math.log(n) for n in sizes], [math.log(s) for s in seconds]
    x0, y0 = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((x - x0) * (y - y0) for x, y in zip(xs, ys, strict=True))
    return rise / sum((x - x0) ** 2 for x in xs)


@dataclass(slots=True)
class _Meter:
    """Seconds of one seat along one axis."""

    seat: Seat
    axis: Axis
    clock: Callable[[], float]
    deadline: float
    known: dict[int, float] = field(default_factory=dict)  # CPU seconds of a call, by size
    sizes: tuple[int, ...] = ()
    _variants: count[int] = field(default_factory=count)

    def rounds(self) -> list[list[float]]:
        """Seconds by size, a row for each round; the first round decides on the sizes."""
        rows: list[list[float]] = []
        try:
            self.sizes = self._found_sizes()
            begin = self.clock()
            rows.append(self._first_round())
            took_s = self.clock() - begin
            while self._goes_on(rows, took_s):
                rows.append(self._round(rows))
        except Ended:
            return rows or [[self.known[size] for size in self.sizes if size in self.known]]
        return rows

    def _found_sizes(self) -> tuple[int, ...]:
        """Sizes a factor two apart; of the least one, a call is long enough to be measured."""
        least = self.axis.least
        self._seconds(least)  # the first calls of a function are slow
        while self._seconds(least) < LEAST_CALL_S and least << MOST_SIZES <= self.axis.most:
            least *= 2
        sizes = (least << i for i in range(MOST_SIZES))
        return tuple(size for size in sizes if size <= self.axis.most)

    def _goes_on(self, rows: list[list[float]], took_s: float) -> bool:
        sizes = self.sizes[: len(rows[0])]
        if len(sizes) < LEAST_SIZES or took_s > self._left() or len(rows) >= MOST_ROUNDS:
            return False
        scatter = half_width([exponent(sizes, row) for row in rows])
        return len(rows) < ROUNDS or scatter is None or scatter > STEADY

    def _first_round(self) -> list[float]:
        row: list[float] = []
        took_s = 0.0
        for size in self.sizes:
            begin, before_s = self.clock(), took_s
            row.append(self._seconds(size))
            took_s = self.clock() - begin
            next_s = took_s * max(2.0, took_s / before_s if before_s else 0.0)
            if next_s * (1 if len(row) < LEAST_SIZES else ROUNDS) > self._left():
                break
        return row

    def _round(self, rows: list[list[float]]) -> list[float]:
        """The same sizes again; every other round begins with the largest."""
        sizes = list(self.sizes[: len(rows[0])])
        turn = -1 if len(rows) % 2 else 1
        return [self._seconds(size) for size in sizes[::turn]][::turn]

    def _seconds(self, size: int) -> float:
        """CPU seconds of one call of that size; small calls are made several times.

        No two calls have the same arguments: a cache would make them free.
        """
        copies = 1 if self.axis.single else self._copies(size)
        calls = [
            call for _ in range(copies) for call in self.axis.calls(size, next(self._variants))
        ]
        limit = self._left() + SLACK_S
        self.seat.prepare(calls, limit)
        self.known[size] = max(self.seat.run(1, limit) / copies, 1e-9)
        return self.known[size]

    def _copies(self, size: int) -> int:
        expected = self.known.get(size) or 2 * self.known.get(size // 2, LEAST_SLOT_S)
        return max(1, min(math.ceil(LEAST_SLOT_S / expected), MOST_COPIES))

    def _left(self) -> float:
        return max(self.deadline - self.clock(), 0.0)
