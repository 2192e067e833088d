"""How an answer to a follow-up is checked: each kind runs the submission in the sandbox.

A check takes the kata, what stands behind the colon in the card, the submission and the
seed, and gives whether it passed and a sentence. It raises `Unknown` when the card names
something that does not exist.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

from grader import bench, catalog, diagnose, judge, pairs, plugin, submission
from grader.errors import GraderFault
from grader.findings import describe
from grader.interview import inputs
from grader.interview.inputs import Unknown
from grader.model import Call, CallResult, Kata, Mistyped, Outcome, Returned, Submission, TimedOut
from grader.sandbox.host import Host, hash_seed
from grader.solution import InProcess, call_source, snapshot

Found = tuple[bool | None, str]  # None: it cannot be told

SIZES = (750, 1_500, 3_000, 6_000, 12_000, 25_000, 50_000, 100_000)
FOUR_TIMES = 8.0  # the most a call may cost on four times the size: n^1.5
LEAST_S = 0.01  # of CPU time; less is noise
ENOUGH_S = 1.0  # a size that takes longer is the last
TIMED_S = 20.0  # wall-clock budget of a ratio on a sample
LEAST_PATIENCE_S = 20.0  # of wall-clock time, for an answer on the whole text
#: How long such an answer may take, in times of the reference's own wall-clock time, which
#: tells how busy the machine is: twice the bound, or where only memory is asked for this.
MEMORY_PATIENCE = 20
WHOLE_MIB = 2048


def case(kata: Kata, names: str, source: Submission, seed: int) -> Found:
    """Cases of the suite, by their ids with commas between."""
    only = tuple(names.split(","))
    if not _has_cases(kata, only):
        raise Unknown("the suite has no such case.")
    options = judge.Options(
        seed=seed, timing=False, only=only, keep_going=True, name_mistakes=False, shrink=False
    )
    report = judge.judge(kata, source, options)
    if report.problem is not None:
        return False, f"The file does not load: {report.problem.note}."
    for verdict in report.verdicts:
        if verdict.outcome is Outcome.BROKEN:
            raise GraderFault(report.message or f"The case {verdict.id} could not be run.")
        if verdict.outcome is not Outcome.PASS:
            shown = verdict.counterexample
            why = f" ({shown.note})" if shown and shown.note else ""
            return False, f"It does not hold{why}: {verdict.title}"
    return True, f"It holds: {' '.join(verdict.title for verdict in report.verdicts)}"


def variant(kata: Kata, name: str, source: Submission, seed: int) -> Found:
    """The answers of a known mistake, which are the right ones for the rule that is asked for."""
    if name not in [mistake.id for mistake in catalog.mistakes(kata)]:
        raise Unknown("there is no such known mistake.")
    suite = _suite(kata)
    calls = [Call(kata.name, args) for args in inputs.small(kata, seed) or ()]
    calls = calls or diagnose.bank(suite, kata)
    judged = getattr(suite, "judged", None)
    mistakes = catalog.load_module(kata.mistakes, f"_mistakes_{kata.name}")
    due = _answers(kata, getattr(mistakes, name), calls)
    unchanged = _answers(kata, getattr(catalog.reference_module(kata), kata.name), calls)
    different = same = 0
    with _host(kata, source, seed) as host:
        for call, wanted, plain in zip(calls, due, unchanged, strict=True):
            result = host.call(Call(call.function, snapshot(call.args)))
            if not isinstance(result, Returned):
                return False, f"On {call_source(kata, call)}: {_why(result)}."
            answer, right, old = (
                judged(call.args, each) if judged else (each.value, _after(kata, each))
                for each in (result, wanted, plain)
            )
            different += answer != right
            same += answer == old
            if answer != right and answer != old:
                return False, (
                    f"On {call_source(kata, call)} you return {result.value!r}; "
                    f"with the other rule it is {wanted.value!r}."
                )
    if different:
        still = "every input" if same == len(calls) else f"{same} of {len(calls)} inputs"
        return False, f"Your answers are still those of the first rule on {still}."
    return True, f"Your answers are those of the other rule on {len(calls)} inputs full of ties."


def growth(kata: Kata, name: str, source: Submission, seed: int) -> Found:
    """Answers are right on growing inputs, and four times the size costs well under 16 times."""
    make = inputs.growing(kata, name)
    reference = getattr(catalog.reference_module(kata), kata.name)
    with _host(kata, source, seed) as host:
        for _ in range(2):  # a busy machine may be to blame once
            costs: list[float] = []
            for size in SIZES:
                args = make(size)
                result = host.call(Call(kata.name, snapshot(args)))
                if isinstance(result, TimedOut):
                    costs = [0.0, 0.0, float("inf")]
                    break
                if not isinstance(result, Returned):
                    return False, f"On an input of {size:,}: {_why(result)}."
                if result.value != reference(*snapshot(args)):
                    return False, f"The answer is wrong on an input of {size:,}."
                costs.append(max(result.cpu_s, LEAST_S))
                if costs[-1] > ENOUGH_S:
                    break
            if len(costs) >= 3 and costs[-1] <= FOUR_TIMES * costs[-3]:
                return True, f"The time stays in step with the size, up to {size:,}."
    return False, ("Four times the size costs more than eight times the CPU time, measured twice.")


def time(kata: Kata, most: str, source: Submission, seed: int) -> Found:
    """The ratio to the reference's CPU time on a sample of the embedded text, as in `kata run`."""
    ratio = 0.0
    for _ in range(2):
        timing = bench.time_kata(kata, source, seed=seed, budget_s=TIMED_S)
        if timing is None:
            raise Unknown("the kata has no workload to time.")
        if timing.ratio is None:
            return False, f"There is no ratio: {timing.note}."
        ratio = timing.ratio
        if ratio <= int(most):
            return True, f"{ratio:.1f} times the reference's CPU time; {most} are allowed."
    return False, f"{ratio:.1f} times the reference's CPU time, measured twice; {most} are allowed."


def whole(kata: Kata, most: str, source: Submission, seed: int) -> Found:
    """One call on the whole embedded text: the same answer, and the ratio of CPU times."""
    return _on_whole(kata, int(most), source, seed, _cpu, "CPU time", 2 * int(most))


def memory(kata: Kata, most: str, source: Submission, seed: int) -> Found:
    """The same call: the same answer, and the ratio of the largest memory.

    That of the main process; what worker processes hold is not seen.
    """
    return _on_whole(kata, int(most), source, seed, _peak, "peak memory", MEMORY_PATIENCE)


CHECKS: dict[str, Callable[[Kata, str, Submission, int], Found]] = {
    "case": case,
    "variant": variant,
    "growth": growth,
    "time": time,
    "whole": whole,
    "memory": memory,
}


def _cpu(host: Host, result: Returned) -> float:
    return max(result.cpu_s, LEAST_S)


def _peak(host: Host, result: Returned) -> float:
    return host.peak_mib()


def _on_whole(
    kata: Kata,
    most: int,
    source: Submission,
    seed: int,
    measure: Callable[[Host, Returned], float],
    what: str,
    patience: int,  # times the reference's wall-clock time
) -> Found:
    args, described = inputs.whole(kata)
    call = Call(kata.name, args)
    due, unit, wall_s = _measured(
        kata, submission.load(kata, "reference"), call, seed, measure, pairs.PATIENCE_S
    )
    if not isinstance(due, Returned):
        raise GraderFault(f"The reference failed on {described}: {_why(due)}.")
    deadline = round(max(patience * wall_s, LEAST_PATIENCE_S))
    ratio = 0.0
    for _ in range(2):
        result, mine, _ = _measured(kata, source, call, seed, measure, deadline)
        if isinstance(result, TimedOut):
            return False, (
                f"On {described}: no answer within {deadline} s; the reference took {wall_s:.1f} s."
            )
        if not isinstance(result, Returned):
            return False, f"On {described}: {_why(result)}."
        if result.value != due.value:
            return False, f"On {described} the answer is not the reference's."
        if unit <= 0 or mine <= 0:
            return None, f"The {what} cannot be measured on this machine."
        ratio = mine / unit
        if ratio <= most:
            return True, (
                f"{ratio:.1f} times the reference's {what} on {described}; {most} are allowed."
            )
    return False, (
        f"{ratio:.1f} times the reference's {what} on {described}, measured twice; "
        f"{most} are allowed."
    )


def _measured(
    kata: Kata,
    source: Submission,
    call: Call,
    seed: int,
    measure: Callable[[Host, Returned], float],
    deadline: float,
) -> tuple[CallResult, float, float]:
    """A call in a child of its own: the result, what is measured of it, and how long it took."""
    limits = replace(
        kata.limits, call_s=deadline, memory_mib=max(kata.limits.memory_mib, WHOLE_MIB)
    )
    with Host(kata, source, hash_seed=hash_seed(seed, 0), limits=limits) as host:
        host.load()
        begin = monotonic()
        result = host.call(call)
        seconds = monotonic() - begin
        return result, measure(host, result) if isinstance(result, Returned) else 0.0, seconds


def _host(kata: Kata, source: Submission, seed: int) -> Host:
    return Host(kata, source, hash_seed=hash_seed(seed, 0))


def _answers(kata: Kata, function: Callable[..., Any], calls: Sequence[Call]) -> list[Returned]:
    """What one of our own functions returns; raises `GraderFault` when it does not."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        engine = InProcess(kata, function, Path(folder))
        for call in calls:
            result = engine.call(call)
            if not isinstance(result, Returned):
                raise GraderFault(f"Our own {function.__name__} gave no answer: {_why(result)}.")
            found.append(result)
    return found


def _after(kata: Kata, result: Returned) -> list[Any]:
    """The arguments after the call, but for files, whose content stays here."""
    parameters = zip(kata.signature.parameters, result.args, strict=True)
    return [arg for parameter, arg in parameters if parameter.mutable]


def _why(result: CallResult) -> str:
    if isinstance(result, Mistyped):
        return f"{result.got} was returned where {result.expected} is due"
    return describe(result) or "no answer came back"


def _suite(kata: Kata) -> ModuleType:
    plugin.prepare_suites()
    return catalog.load_module(kata.suite, f"_suite_{kata.name}")


def _has_cases(kata: Kata, only: Sequence[str]) -> bool:
    text = kata.suite.read_text(encoding="utf-8")
    return all(f"def test_{name}(" in text for name in only)
