"""The same calls on two sides, pair by pair: what one ratio of CPU times is made of.

A machine changes its speed by a third for seconds at a time, so no time means much by
itself. The student's function and the reference run the same slice of a corpus right
after one another (A B, B A), each in its own child; the parent reads both clocks. A naive
version joins while its share of the time lasts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Protocol, TypeVar

from grader.errors import GraderFault
from grader.model import (
    CallResult,
    Crashed,
    Exhausted,
    Mistyped,
    Raised,
    Refused,
    Returned,
    TimedOut,
)
from grader.sandbox.host import Ended
from grader.slots import Workload

T = TypeVar("T")

PAIRS, MOST_PAIRS = 11, 41
WHOLE_PAIRS = 5  # of long calls: a part of the corpus is run that fits as often
FEW_PAIRS, QUICK_S = 3, 0.05  # as many quick pairs run even when the time is up
STEADY = 0.05  # a spread below this ends the measuring
LEAST_SLOT_S = 0.005
SLOT_S = 0.008  # aimed at for the student's side
LONG_SLOT_S = 0.03  # the reference is not repeated beyond this to equal a slow student
CARRY_S = 0.06  # of wall-clock time to send a slot and fetch it; beyond it runs are repeated
PATIENCE_S = 30 * 86400.0  # for the reference, and for a file that somebody asked for: no end
SLACK_S = 0.3  # a slot that takes longer than it should is let finish within this


class Seat(Protocol):
    """A child that runs calls sent ahead. Every method may raise `host.Ended`."""

    def prepare(self, calls: Sequence[Any], seconds: float = ...) -> None:
        """Send the calls and let the child decode their arguments."""

    def run(self, repeat: int = 1, seconds: float = ...) -> float:
        """Run the prepared calls; CPU seconds, by the kernel's account."""
        ...

    def fetch(self, seconds: float = ...) -> list[Any]:
        """The values of the last run."""
        ...

    def cpu_seconds(self) -> float:
        """CPU seconds of the child since it started, by the kernel's account."""
        ...

    def peak_mib(self) -> float:
        """The child's largest memory so far."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """How a pair is run: units in a slot, and how often the reference runs it.

    The student's side never runs the same arguments twice: a cache would make it free.
    """

    size: int
    reference: int = 1


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides of one slot; seconds are for one unit, run once."""

    yours_s: float  # CPU
    reference_s: float
    carry_s: float  # wall clock of what is around the runs
    more_s: float = 0.0  # CPU of yours around its run, less that of the reference around its own
    around_s: float = 0.0  # CPU of the reference around its run
    naive_s: float | None = None  # CPU; None where the naive version did not run

    @property
    def ratio(self) -> float:
        return self.yours_s / self.reference_s

    def of(self, name: str) -> float:
        """CPU seconds of `yours`, `reference` or `naive`; 0.0 where that did not run."""
        every = {"yours": self.yours_s, "reference": self.reference_s, "naive": self.naive_s}
        return every[name] or 0.0


class NoRatio(Exception):
    """There is nothing to compare; the message says why."""


class OutOfTime(NoRatio):
    """A step took longer than it may."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a measurement."""

    pairs: tuple[Pair, ...]
    size: int  # units in a slot of the last pair
    first: Pair | None  # the first slot, of one unit; None where it is one of the pairs
    naive_note: str | None = None  # why the naive version ran no further


def half_width(values: Sequence[float]) -> float | None:
    """Half the width of the interval that holds the true median 19 times of 20; None for one.

    The interval runs between two of the sorted values, so one wild value cannot move it.
    """
    n = len(values)
    if n < 2:
        return None
    low = max(0, round(n / 2 - 0.98 * math.sqrt(n)) - 1)
    ordered = sorted(values)
    return (ordered[n - 1 - low] - ordered[low]) / 2


def spread(ratios: Sequence[float]) -> float | None:
    """`half_width` as a fraction of the median."""
    half = half_width(ratios)
    return None if half is None else half / median(ratios)


def plan_after(work: Workload, pair: Pair, share_s: float) -> Plan:
    """How to run a pair that may take `share_s` of wall-clock time, after one that has run."""
    affordable = share_s / (pair.carry_s + pair.yours_s + pair.reference_s)
    if work.whole:
        return Plan(_clamp(affordable, work.units))
    if not work.repeatable:
        return Plan(_clamp(min(math.ceil(LEAST_SLOT_S / pair.yours_s), affordable), work.units))
    wanted = math.ceil(SLOT_S / pair.yours_s)
    size = _clamp(min(wanted, affordable, CARRY_S / pair.carry_s), work.units)
    aimed = min(pair.yours_s * size, LONG_SLOT_S)
    return Plan(size, _clamp(aimed / (pair.reference_s * size) + 0.5, 10**6))


def charged(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with work that was moved out of the run charged as if it had run.

    Both sides decode and encode the same, so in the middle of the pairs an honest side does no
    more around its run than the reference; one slot alone is too noisy to say. A tolerance is
    left for answers that are packed a little slower.
    """
    more = median(pair.more_s for pair in pairs)
    tolerated = 0.25 * median(p.yours_s for p in pairs) + 0.05 * median(p.around_s for p in pairs)
    if more <= tolerated:
        return list(pairs)
    return [replace(pair, yours_s=pair.yours_s + max(pair.more_s, more)) for pair in pairs]


def _clamp(number: float, most: int) -> int:
    return max(1, min(int(number), most))


@dataclass(slots=True)
class Pairing:
    """One measurement on its way."""

    work: Workload
    yours: Seat
    reference: Seat
    clock: Callable[[], float]
    deadline: float
    naive: Seat | None = None
    whole_pairs: int = WHOLE_PAIRS
    naive_left_s: float = 0.0  # wall-clock time the naive version may still take
    reference_pass_s: float | None = None
    _start: int = 0  # the first unit not run yet
    _turn: int = 0
    _naive_unit_s: float = 0.0  # wall-clock time of the naive version's last unit
    _naive_note: str | None = None

    def measured(self) -> Measured:
        """Run pairs until they agree or the time is up. Raises `NoRatio`."""
        pilot = last = self._pair(Plan(1))
        plan = self._plan(pilot, 0)
        # The first calls of a function are slow: the pilot counts only where a slot is long,
        # or where there is no time for another.
        counts = self.work.whole and plan.size == 1
        pairs = [pilot] if counts else []
        while self._goes_on(pairs, last, plan):
            try:
                last = self._pair(plan)
            except OutOfTime:
                if self._left() <= 0:
                    break
                raise
            pairs.append(last)
            if not self.work.whole:
                plan = self._plan(last, len(pairs))
        if counts or not pairs:
            return Measured(tuple(pairs or [pilot]), 1, None, self._naive_note)
        return Measured(tuple(pairs), plan.size, pilot, self._naive_note)

    def _plan(self, last: Pair, done: int) -> Plan:
        pairs = self.whole_pairs if self.work.whole else max(1, PAIRS - done)
        return plan_after(self.work, last, self._left() / pairs)

    def _left(self) -> float:
        return max(self.deadline - self.clock(), 0.0)

    def _goes_on(self, pairs: Sequence[Pair], last: Pair, plan: Plan) -> bool:
        runs_s = plan.size * (last.yours_s + plan.reference * last.reference_s)
        if len(pairs) < FEW_PAIRS and runs_s < QUICK_S:
            return True  # a pilot alone, cold as it is, would be a worse answer
        if plan.size * last.carry_s + runs_s > self._left() or len(pairs) >= MOST_PAIRS:
            return False
        return len(pairs) < PAIRS or (spread([pair.ratio for pair in pairs]) or 0.0) > STEADY

    def _pair(self, plan: Plan) -> Pair:
        """Run one slot on both sides and compare the answers."""
        begin = self.clock()
        calls = self.work.slot(self._start, plan.size)
        self._start += plan.size
        self._turn += 1
        before = self.reference.cpu_seconds(), self.yours.cpu_seconds()
        self._both(
            lambda: self.reference.prepare(calls), lambda: self.yours.prepare(calls, self._limit())
        )
        running = self.clock()
        reference_s, yours_s = self._both(lambda: self._run_reference(plan), self._run_yours)
        ran = self.clock()
        expected, answers = self._both(
            self.reference.fetch, lambda: self.yours.fetch(self._limit())
        )
        around_s = self.reference.cpu_seconds() - before[0] - reference_s * plan.reference
        more_s = self.yours.cpu_seconds() - before[1] - yours_s - around_s
        if answers != expected:
            raise NoRatio("your answers differ from the reference's on this text")
        carry_s = max(self.clock() - begin - (ran - running), 1e-6)
        naive_s = self._run_naive(calls, expected, plan.size)
        size = plan.size
        return Pair(
            yours_s / size,
            reference_s / size,
            carry_s / size,
            more_s / size,
            around_s / size,
            naive_s,
        )

    def _run_naive(self, calls: Sequence[Any], expected: list[Any], size: int) -> float | None:
        """CPU seconds of a unit; None once its share of the time does not hold another slot.

        What it takes is not taken from the pairs.
        """
        if self.naive is None or self._naive_unit_s * size > self.naive_left_s:
            return None
        begin, left_s = self.clock(), self.naive_left_s
        try:
            self.naive.prepare(calls, left_s)
            seconds = self.naive.run(1, left_s)
            answers = self.naive.fetch(left_s)
        except Ended as end:
            self.naive, self._naive_note = None, why(end.result)
            return None
        finally:
            took_s = self.clock() - begin
            self.naive_left_s -= took_s
            self.deadline += took_s
            self._naive_unit_s = took_s / size
        if answers != expected:
            raise GraderFault("The naive version's answers differ from the reference's.")
        return seconds / size

    def _both(self, reference: Callable[[], T], yours: Callable[[], T]) -> tuple[T, T]:
        """Do a step on both sides. Who begins alternates: the second finds a warmer machine."""
        if self._turn % 2:
            expected = _ours(reference)
            return expected, _theirs(yours)
        answer = _theirs(yours)
        return _ours(reference), answer

    def _run_reference(self, plan: Plan) -> float:
        seconds = self.reference.run(plan.reference, PATIENCE_S) / plan.reference
        if self.reference_pass_s is None:
            units = 1 if self.work.whole else self.work.units
            self.reference_pass_s = seconds / plan.size * units
        return max(seconds, 1e-9)

    def _run_yours(self) -> float:
        return max(self.yours.run(1, self._limit()), 1e-9)

    def _limit(self) -> float:
        """How long a step of the student's child may take."""
        return PATIENCE_S if self.work.patient else self._left() + SLACK_S


def _theirs(step: Callable[[], T]) -> T:
    try:
        return step()
    except Ended as end:
        kind = OutOfTime if isinstance(end.result, TimedOut) else NoRatio
        raise kind(why(end.result)) from None


def _ours(step: Callable[[], T]) -> T:
    try:
        return step()
    except Ended as end:
        raise GraderFault(f"The reference failed while it was timed: {why(end.result)}.") from None


def why(result: CallResult) -> str:
    """What ended a timing run, in words."""
    match result:
        case Raised():
            return f"{result.type} was raised on this text"
        case TimedOut():
            return f"a part of this text took more than {result.seconds:.1f} s"
        case Exhausted():
            return f"a part of this text took more than {result.mib:,} MiB of memory"
        case Mistyped():
            return f"{result.got} was returned where {result.expected} is due"
        case Crashed() | Refused():
            return result.reason
        case Returned():
            return "no value came back"
