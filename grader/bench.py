"""Timing beside the reference: the median of pairwise CPU-time ratios.

A machine changes its speed by a third for seconds at a time, so no time means much by
itself. The student's function and the reference run the same slice of a corpus right
after one another (A B, B A), each in its own child; the parent reads both clocks. The
median of the ratios is the answer, and its spread is told with it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Protocol, TypeVar

from grader import submission, workloads
from grader.corpus import Corpus, open_corpus
from grader.errors import GraderFault
from grader.model import (
    CallResult,
    Crashed,
    Exhausted,
    Kata,
    Mistyped,
    Raised,
    Refused,
    Returned,
    Submission,
    TimedOut,
    Timing,
)
from grader.sandbox.host import Ended, Host, hash_seed
from grader.workloads import Workload

T = TypeVar("T")

BUDGET_S = 2.5  # of wall-clock time, for all of it
LEAST_BUDGET_S = 1.0  # for the measuring itself, however long its preparation took
PAIRS, MOST_PAIRS, WHOLE_PAIRS = 11, 41, 2
STEADY = 0.05  # a spread below this ends the measuring
LEAST_SLOT_S = 0.005
SLOT_S = 0.008  # aimed at for the student's side
LONG_SLOT_S = 0.03  # the reference is not repeated beyond this to equal a slow student
CARRY_S = 0.06  # of wall-clock time to send a slot and fetch it; beyond it runs are repeated
PATIENCE_S = 3600.0  # for the reference, and for a file that somebody asked for
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

    @property
    def ratio(self) -> float:
        return self.yours_s / self.reference_s


class NoRatio(Exception):
    """There is nothing to compare; the message says why."""


def time_kata(
    kata: Kata,
    source: Submission,
    *,
    corpus: str | Path | None = None,
    seed: int = 0,
    budget_s: float = BUDGET_S,
) -> Timing | None:
    """Time a submission beside the kata's reference, in two children of their own.

    None when the kata has no workload. Raises `UsageError` when there is no such corpus, or
    too little of it.
    """
    begin = time.monotonic()
    text = open_corpus(corpus or "embedded")
    build = workloads.find(kata)
    if build is None:
        return None
    reference = submission.load(kata, "reference")
    with _seat(kata, source, text, seed) as yours, _seat(kata, reference, text, seed) as theirs:
        yours.start()  # they start while this process makes the workload
        theirs.start()
        work = build(text)
        if reason := yours.clock_problem():
            return _untimed(work, f"not timed: {reason}", None, 0.0)
        left_s = budget_s - (time.monotonic() - begin)
        return measure(work, yours, theirs, budget_s=max(left_s, LEAST_BUDGET_S))


def _seat(kata: Kata, source: Submission, text: Corpus, seed: int) -> Host:
    reads, limits = [], kata.limits
    if text.path is not None:
        reads, limits = [text.path], replace(limits, kata_s=PATIENCE_S)
    return Host(kata, source, hash_seed=hash_seed(seed, 0), limits=limits, reads=reads)


def measure(
    work: Workload,
    yours: Seat,
    reference: Seat,
    *,
    budget_s: float = BUDGET_S,
    clock: Callable[[], float] = time.monotonic,
) -> Timing:
    """Time the student's function on a workload beside the reference.

    Stops when the spread is small, or the budget is spent. Raises `GraderFault` when the
    reference fails.
    """
    bench = _Bench(work, yours, reference, clock, clock() + budget_s)
    try:
        pairs, size = bench.pairs()
    except NoRatio as reason:
        return _untimed(work, str(reason), bench.reference_pass_s, yours.peak_mib())
    return _timing(work, charged(pairs), size, yours.peak_mib())


def _untimed(work: Workload, why: str, reference_s: float | None, peak_mib: float) -> Timing:
    return Timing(
        corpus=work.corpus,
        workload=work.describe(1),
        yours_s=None,
        reference_s=reference_s,
        ratio=None,
        spread=None,
        growth=None,
        peak_mib=peak_mib or None,
        note=why,
    )


def _timing(work: Workload, pairs: Sequence[Pair], size: int, peak_mib: float) -> Timing:
    ratios = [pair.ratio for pair in pairs]
    units = size if work.whole else work.units
    return Timing(
        corpus=work.corpus,
        workload=work.describe(size),
        yours_s=median(pair.yours_s for pair in pairs) * units,
        reference_s=median(pair.reference_s for pair in pairs) * units,
        ratio=median(ratios),
        spread=spread(ratios),
        growth=None,
        peak_mib=peak_mib or None,
        pairs=len(pairs),
        note=None if len(pairs) >= PAIRS else _few(len(pairs)),
    )


def _few(pairs: int) -> str:
    runs = "run of each" if pairs == 1 else "runs of each"
    return f"only {pairs} {runs} fitted into the time, so the ratio is rough"


def spread(ratios: Sequence[float]) -> float | None:
    """Half the width of the interval that holds the true median 19 times of 20, as a
    fraction of the median; None for a single ratio.

    The interval runs between two of the sorted ratios, so one wild slot cannot move it.
    """
    n = len(ratios)
    if n < 2:
        return None
    low = max(0, round(n / 2 - 0.98 * math.sqrt(n)) - 1)
    ordered = sorted(ratios)
    return (ordered[n - 1 - low] - ordered[low]) / 2 / median(ordered)


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
class _Bench:
    """One measurement on its way."""

    work: Workload
    yours: Seat
    reference: Seat
    clock: Callable[[], float]
    deadline: float
    reference_pass_s: float | None = None
    _start: int = 0  # the first unit not run yet
    _turn: int = 0

    def pairs(self) -> tuple[list[Pair], int]:
        """The measured pairs, and the units in a slot of the last."""
        pilot = last = self._pair(Plan(1))
        plan = self._plan(pilot, 0)
        # The first calls of a function are slow: the pilot counts only where a slot is long,
        # or where there is no time for another.
        pairs = [pilot] if self.work.whole and plan.size == 1 else []
        while self._goes_on(pairs, last, plan):
            try:
                last = self._pair(plan)
            except NoRatio:
                if pairs and self._left() <= 0:
                    break
                raise
            pairs.append(last)
            if not self.work.whole:
                plan = self._plan(last, len(pairs))
        return (pairs, plan.size) if pairs else ([pilot], 1)

    def _plan(self, last: Pair, done: int) -> Plan:
        pairs = WHOLE_PAIRS if self.work.whole else max(1, PAIRS - done)
        return plan_after(self.work, last, self._left() / pairs)

    def _left(self) -> float:
        return max(self.deadline - self.clock(), 0.0)

    def _goes_on(self, pairs: Sequence[Pair], last: Pair, plan: Plan) -> bool:
        expected = plan.size * (last.carry_s + last.yours_s + plan.reference * last.reference_s)
        if expected > self._left() or len(pairs) >= MOST_PAIRS:
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
        measured = (yours_s, reference_s, carry_s, more_s, around_s)
        return Pair(*(seconds / plan.size for seconds in measured))

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
        raise NoRatio(why(end.result)) from None


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
