"""Judge one submission of one kata: start the child, run the suite, gather a Report."""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType

from grader import __version__, fingerprint, submission
from grader.errors import GraderFault, IsolationTooLow
from grader.findings import describe, overall, result_outcome, unwritten
from grader.model import (
    Call,
    CallResult,
    Counterexample,
    Diagnosis,
    Isolation,
    Kata,
    Outcome,
    Raised,
    Report,
    Submission,
    Tier,
    Timing,
    Verdict,
)
from grader.sandbox import affinity, policy
from grader.sandbox.host import Host, hash_seed

Source = str | Path | Submission
SEED_BOUND = 10**6
#: Outcomes a known mistake can have; the others need no name.
DIAGNOSED = (Outcome.WRONG, Outcome.RAISED, Outcome.TIMEOUT, Outcome.MEMORY)


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge. `timing`: True always, False never, None after a pass."""

    seed: int | None = None
    timing: bool | None = None
    corpus: str | None = None
    profile: str = "grade"
    stop_at_first_failure: bool = False
    stretch: bool = True  # run the stretch cases
    tiers: tuple[Tier, ...] = tuple(Tier)  # run these alone; the outcome is theirs
    shrink: bool = True  # look for the smallest failing input
    keep_going: bool = False  # run what is left after a time-out, too
    name_mistakes: bool = True  # look for a known mistake behind a failure
    require_isolation: str | None = None  # partial or full
    extra: tuple[Path, ...] = ()  # private suites, each a `hidden/test_<kata>.py`
    retry: str | None = None  # a case to run first, and alone as long as it fails
    only: tuple[str, ...] = ()  # the cases to run; empty: all of them


@dataclass(slots=True)
class _Run:
    """The state of one judgement while it lasts."""

    kata: Kata
    source: Submission
    options: Options
    seed: int
    stack: ExitStack
    started: float = field(default_factory=time.monotonic)
    hosts: dict[int, Host] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    failing: list[Call] = field(default_factory=list)
    suite: ModuleType | None = None

    def seat(self, number: int) -> Host:
        """The child of that number; both run the submission, under different hash seeds."""
        if number not in self.hosts:
            host = Host(self.kata, self.source, hash_seed=hash_seed(self.seed, number))
            host.until = self.started + self.kata.limits.kata_s
            self.hosts[number] = self.stack.enter_context(host)
            host.start()
        return self.hosts[number]

    def skip(self, tier: Tier) -> bool:
        """Whether a case of that tier is not worth running any more."""
        if time.monotonic() > self.started + self.kata.limits.kata_s:
            return True
        if tier is not Tier.EXAMPLE and unwritten(self.verdicts):
            return True
        if tier not in self.options.tiers or (tier is Tier.STRETCH and not self.options.stretch):
            return True
        failed = [v for v in self.verdicts if v.outcome not in (Outcome.PASS, None)]
        if not failed or self.options.keep_going:
            return False
        stuck = any(v.outcome is Outcome.TIMEOUT or v.id == self.options.retry for v in failed)
        return stuck or tier is Tier.STRETCH or self.options.stop_at_first_failure


def judge(
    kata: Kata,
    source: Source,
    options: Options | None = None,
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
    on_phase: Callable[[str], None] = lambda phase: None,
) -> Report:
    """Grade `source` (a path, `reference`, `mistake:ID`, or what was read) and report.

    Raises `UsageError` when there is no such source, other `KataError`s when the grader
    itself cannot work. Everything a submission does ends up in the report.
    """
    options = options or Options()
    extra = options.extra
    seed = secrets.randbelow(SEED_BOUND) if options.seed is None else options.seed
    try:
        found = source if isinstance(source, Submission) else submission.load(kata, source)
    except submission.Ungradable as error:
        empty = Submission(str(source), b"", hashlib.sha256(b"").hexdigest())
        return _report(kata, empty, Outcome.RAISED, seed, message=str(error), extra=extra)
    if submission.is_unwritten(kata, found):
        return _report(kata, found, Outcome.UNWRITTEN, seed, extra=extra)
    with ExitStack() as stack:
        return _judge(_Run(kata, found, options, seed, stack), on_verdict, on_phase)


def _judge(
    run: _Run, on_verdict: Callable[[Verdict], None], on_phase: Callable[[str], None]
) -> Report:
    host = run.seat(0)  # it starts while this process imports pytest and Hypothesis
    if b"twin" in run.kata.suite.read_bytes():
        run.seat(1)
    import grader.plugin  # noqa: F401

    with affinity.beside(run.kata.policy):
        problem = host.load()
        _check_isolation(run)
        if problem is not None:
            return _finish(run, result_outcome(problem), problem=_module_problem(run, problem))
        for path in (run.kata.suite, *run.options.extra):
            _run_suite(run, path, on_verdict)
    outcome = overall([v for v in run.verdicts if v.tier in run.options.tiers])
    if run.faults:
        outcome = Outcome.BROKEN
    wanted = run.options.timing
    timed = wanted if wanted is not None else outcome is Outcome.PASS
    timing, diagnosis = None, None
    if timed and outcome is not Outcome.BROKEN:
        on_phase("timing")
        timing = _time(run, on_phase)
    if run.options.name_mistakes:
        diagnosis = _diagnose(run, outcome, on_phase)
    return _finish(run, outcome, timing=timing, diagnosis=diagnosis)


def _check_isolation(run: _Run) -> None:
    isolation, floor = run.hosts[0].isolation, run.options.require_isolation
    if floor and isolation and (reason := policy.below(isolation, floor)):
        raise IsolationTooLow(reason)


def _run_suite(run: _Run, path: Path, on_verdict: Callable[[Verdict], None]) -> None:
    """Run one pytest file; the cases of a private one are marked as such."""
    import pytest

    from grader import plugin
    from grader.order import FirstCase

    own = path == run.kata.suite

    def seen(verdict: Verdict) -> None:
        verdict = verdict if own else replace(verdict, id=f"extra/{verdict.id}")
        run.verdicts.append(verdict)
        if verdict.outcome is not None:
            for host in run.hosts.values():
                host.end_case()
        on_verdict(verdict)

    suite = plugin.SuitePlugin(
        lambda kata, number: run.seat(number),
        seed=run.seed,
        profile=run.options.profile,
        shrink=run.options.shrink,
        on_verdict=seen,
        skip=run.skip,
    )
    folder = run.stack.enter_context(tempfile.TemporaryDirectory(prefix="kata-suite-"))
    options = [*PYTEST_OPTIONS, f"--basetemp={folder}/tmp", str(path)]
    order = FirstCase(run.options.retry if own else None, run.options.only if own else ())
    gc.freeze()  # what was imported is here to stay; pytest collects garbage several times
    with _environment():
        status = pytest.ExitCode(pytest.main(options, plugins=[plugin, suite, order]))
    if own:
        run.verdicts.sort(key=lambda verdict: order.position.get(verdict.id, 0))
    if suite.interrupted:
        raise KeyboardInterrupt
    run.faults.extend(suite.faults)
    run.failing.extend(suite.failing)
    run.suite = suite.module if own else run.suite
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not suite.verdicts:
        detail = suite.faults[0].strip().splitlines()[-1] if suite.faults else status.name
        raise GraderFault(f"The suite {path} could not be run: {detail}.")


@contextmanager
def _environment() -> Iterator[None]:
    """The environment without what would change how pytest runs a suite."""
    names = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        os.environ.update(kept)


#: A suite is run as it is shipped: no configuration, no conftest, no plugin of whoever's
#: folder this happens in, and nothing printed.
PYTEST_OPTIONS = [
    "-c", str(Path(__file__).with_name("pytest.ini")), "--rootdir", str(Path(__file__).parent),
    "--noconftest", "--import-mode=importlib", "--assert=plain", "-s",
    *(word for name in (
        "cacheprovider", "terminal", "junitxml", "pastebin", "unittest", "doctest", "faulthandler",
        "debugging", "logging", "stepwise", "setuponly", "setupplan", "warnings",
        "unraisableexception", "threadexception",
    ) for word in ("-p", f"no:{name}")),
]  # fmt: skip


def _time(run: _Run, said: Callable[[str], None]) -> Timing | None:
    from grader import bench

    corpus, seed = run.options.corpus, run.seed
    return bench.time_kata(run.kata, run.source, corpus=corpus, seed=seed, said=said)


def _diagnose(run: _Run, outcome: Outcome, on_phase: Callable[[str], None]) -> Diagnosis | None:
    """The known mistake behind what failed; after a pass, behind a stretch case that did."""
    failed = any(v.outcome not in (Outcome.PASS, None) for v in run.verdicts)
    if run.suite is None or not failed or outcome not in (Outcome.PASS, *DIAGNOSED):
        return None
    from grader import costs, diagnose

    found = costs.diagnose(run.kata, run.suite, run.source, run.verdicts)
    if found is None and outcome is not Outcome.PASS and run.failing:
        on_phase("looking for a known mistake")
        calls = diagnose.telling(run.suite, run.kata, run.failing)
        judged = getattr(run.suite, "judged", None)
        found = diagnose.diagnose(run.kata, run.source, calls, hash_seed(run.seed, 0), judged)
    return found


def _module_problem(run: _Run, problem: CallResult) -> Counterexample:
    line = problem.line if isinstance(problem, Raised) else None
    text = problem.text if isinstance(problem, Raised) else None
    return Counterexample(
        call=f"import {run.kata.name}",
        yours=None,
        expected=None,
        note=describe(problem),
        prints=problem.prints,
        line=line,
        line_text=text,
    )


def _finish(
    run: _Run,
    outcome: Outcome,
    *,
    problem: Counterexample | None = None,
    timing: Timing | None = None,
    diagnosis: Diagnosis | None = None,
) -> Report:
    return _report(
        run.kata,
        run.source,
        outcome,
        run.seed,
        verdicts=tuple(run.verdicts),
        isolation=run.hosts[0].isolation,
        problem=problem,
        message="\n".join(run.faults) or None,
        timing=timing,
        diagnosis=diagnosis,
        seconds=time.monotonic() - run.started,
        extra=run.options.extra,
    )


def _report(
    kata: Kata,
    source: Submission,
    outcome: Outcome,
    seed: int,
    *,
    verdicts: tuple[Verdict, ...] = (),
    isolation: Isolation | None = None,
    message: str | None = None,
    problem: Counterexample | None = None,
    timing: Timing | None = None,
    diagnosis: Diagnosis | None = None,
    seconds: float = 0.0,
    extra: tuple[Path, ...] = (),
) -> Report:
    return Report(
        kata=kata,
        submission=source,
        outcome=outcome,
        verdicts=verdicts,
        seed=seed,
        isolation=isolation or Isolation("not used", kata.policy),
        versions=versions() | {"suite": fingerprint.of_suite(kata, extra)},
        message=message,
        problem=problem,
        diagnosis=diagnosis,
        timing=timing,
        seconds=seconds,
    )


def versions() -> dict[str, str]:
    """What a verdict depends on besides the seed."""
    return {
        "bpe-kata": __version__,
        "python": platform.python_version(),
        "hypothesis": _version("hypothesis"),
        "pytest": _version("pytest"),
    }


def _version(name: str) -> str:
    """From the module where it is loaded: asking the installation costs as much as a law."""
    if name in sys.modules:
        return str(sys.modules[name].__version__)
    from importlib.metadata import version

    return version(name)
