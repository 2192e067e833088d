"""Timing beside the reference: ratio, growth, memory, first calls, stages.

The median of pairwise CPU-time ratios is the answer, and its spread is told with it. What
is left of the time goes to larger and larger inputs, for the exponent of growth.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from grader import catalog, submission, workloads
from grader.corpus import Corpus, open_corpus
from grader.growth import grow
from grader.model import Growth, Kata, Side, Stage, Submission, Timing
from grader.pairs import (
    PAIRS,
    PATIENCE_S,
    STEADY,
    WHOLE_PAIRS,
    Measured,
    NoRatio,
    Pairing,
    Seat,
    charged,
    spread,
)
from grader.sandbox import affinity
from grader.sandbox.host import Host, hash_seed
from grader.slots import Workload
from grader.stages import stages

BUDGET_S = 3.0  # of wall-clock time, for all of it
LEAST_BUDGET_S = 1.0  # for the measuring itself, however long its preparation took
PATIENT_S = 2.0  # for growth, after a whole file
#: Of the time: for the pairs, where more is measured after them, and of that for the naive.
PAIRS_SHARE, THOROUGH_PAIRS_SHARE, NAIVE_SHARE = 0.7, 0.5, 0.2


def time_kata(
    kata: Kata,
    source: Submission,
    *,
    corpus: str | Path | None = None,
    seed: int = 0,
    budget_s: float = BUDGET_S,
    thorough: bool = False,
    said: Callable[[str], None] = lambda message: None,
) -> Timing | None:
    """Time a submission beside the kata's reference and a naive version, each in its child.

    `thorough`: growth in every direction and of all three, and the stages of the capstone.
    `said` hears how far a child with a long file is.
    None when the kata has no workload. Raises `UsageError` when there is no such corpus, or
    too little of it.
    """
    begin = time.monotonic()
    text = open_corpus(corpus or "embedded")
    build = workloads.find(kata)
    if build is None:
        return None
    with ExitStack() as stack:

        def seat(name: str, source: Submission) -> Host:
            host = stack.enter_context(_seat(kata, source, text, seed))
            host.watch = lambda: said(f"timing on {text.name}, {name}: {host.busy_with()}")
            host.start()  # it starts while this process makes the workload
            return host

        yours = seat("yours", source)
        reference = seat("reference", submission.load(kata, "reference"))
        slow = catalog.naive(kata)
        naive = seat("naive", submission.load(kata, slow)) if slow else None
        work = build(text)
        if not work.patient:  # workers of the capstone share it, too: CPU time is what counts
            # One CPU may run at half the speed of another for seconds. Whoever takes turns
            # takes them on the same one.
            stack.enter_context(affinity.one_cpu())
        if reason := yours.clock_problem():
            return _untimed(work, f"not timed: {reason}", None, 0.0)
        if work.patient and not thorough:  # a file somebody asked for runs whole, and no more
            work, naive = replace(work, axes=()), None
        left_s = max(budget_s - (time.monotonic() - begin), LEAST_BUDGET_S)
        timing = measure(work, yours, reference, naive, budget_s=left_s, thorough=thorough)
    return replace(timing, budget_s=None if work.patient else budget_s)


def _seat(kata: Kata, source: Submission, text: Corpus, seed: int) -> Host:
    reads, limits = [], kata.limits
    if text.path is not None:
        reads, limits = [text.path], replace(limits, kata_s=PATIENCE_S)
    return Host(kata, source, hash_seed=hash_seed(seed, 0), limits=limits, reads=reads)


def measure(
    work: Workload,
    yours: Seat,
    reference: Seat,
    naive: Seat | None = None,
    *,
    budget_s: float = BUDGET_S,
    thorough: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Timing:
    """Time the student's function on a workload beside the reference.

    Stops when the spread is small, or the budget is spent. Raises `GraderFault` when the
    reference fails.
    """
    until = clock() + budget_s
    share = THOROUGH_PAIRS_SHARE if thorough else PAIRS_SHARE
    pairs_s = budget_s * (share if work.axes else 1.0)
    naive_s = pairs_s * NAIVE_SHARE if naive else 0.0
    whole_pairs = PAIRS if thorough else WHOLE_PAIRS
    deadline = clock() + pairs_s - naive_s
    pairing = Pairing(
        work, yours, reference, clock, deadline, naive, whole_pairs, naive_left_s=naive_s
    )
    try:
        found = pairing.measured()
    except NoRatio as reason:
        return _untimed(work, str(reason), pairing.reference_pass_s, yours.peak_mib())
    if work.patient:  # what was asked for has taken what it took
        until = max(until, clock() + PATIENT_S)
    seats = {"yours": yours, "reference": reference} | ({"naive": naive} if naive else {})
    sides = [_side(work, found, name, seat) for name, seat in seats.items()]
    further = _Further(work, seats, until, clock, thorough)
    return _timing(work, found, tuple(further.measured(sides)))


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


def _side(work: Workload, found: Measured, name: str, seat: Seat) -> Side:
    """One contestant's part of the pairs; the first slot stands in where no other ran."""
    first = found.first
    ran, units, note = [p for p in charged(found.pairs) if p.of(name)], found.size, found.naive_note
    once = not ran and first is not None and bool(first.of(name))
    if first and once:
        ran, units = [first], 1
        note = f"run once, on {work.describe(1)}" if work.whole else "run once"
    seconds, ratios = [p.of(name) for p in ran], [p.of(name) / p.reference_s for p in ran]
    alike = ran and first and not work.whole  # the first slot is one unit, as `seconds` are
    return Side(
        name=name,
        pass_s=median(seconds) * (units if work.whole else work.units) if ran else None,
        ratio=median(ratios) if ran else None,
        spread=spread(ratios),
        first_s=first.of(name) if first and alike else None,
        steady_s=median(seconds) if alike and not once else None,
        peak_mib=seat.peak_mib() or None,
        note=note if name == "naive" else None,
    )


def _timing(work: Workload, found: Measured, sides: tuple[Side, ...]) -> Timing:
    yours, reference = sides[0], sides[1]
    return Timing(
        corpus=work.corpus,
        workload=work.describe(found.size),
        yours_s=yours.pass_s,
        reference_s=reference.pass_s,
        ratio=yours.ratio,
        spread=yours.spread,
        growth=yours.growths[0].exponent if yours.growths else None,
        peak_mib=yours.peak_mib,
        pairs=len(found.pairs),
        note=_note(len(found.pairs), yours.spread),
        sides=sides,
    )


def _note(pairs: int, scatter: float | None) -> str | None:
    if pairs < PAIRS:
        runs = "run of each" if pairs == 1 else "runs of each"
        return f"only {pairs} {runs} fitted into the time, so the ratio is rough"
    if scatter is not None and scatter > STEADY:
        wide = f"{scatter * 100:.0f} %, more than {STEADY * 100:.0f} %"
        return f"the ratios scatter by {wide}: take it as rough"
    return None


@dataclass(frozen=True, slots=True)
class _Further:
    """What is measured after the pairs; each part has an equal share of the time left."""

    work: Workload
    seats: dict[str, Seat]
    until: float
    clock: Callable[[], float]
    thorough: bool

    def measured(self, sides: Sequence[Side]) -> Iterator[Side]:
        axes = self.work.axes if self.thorough else self.work.axes[:1]
        steps = self.work.stages() if self.thorough and self.work.stages else ()
        asked = [s for s in sides if s.pass_s is not None and (self.thorough or s.name == "yours")]
        parts = len(asked) * (len(axes) + bool(steps))
        for side in sides:
            if side not in asked:
                yield side
                continue
            seat, growths, found = self.seats[side.name], list[Growth](), tuple[Stage, ...]()
            for axis in axes:
                growths.append(grow(seat, axis, budget_s=self._share(parts), clock=self.clock))
                parts -= 1
            if steps:
                found = stages(seat, steps, budget_s=self._share(parts), clock=self.clock)
                parts -= 1
            yield replace(side, growths=tuple(growths), stages=found)

    def _share(self, parts: int) -> float:
        return max(self.until - self.clock(), 0.0) / parts
