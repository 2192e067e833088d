"""`kata dev check`: prove a kata sound before anyone is judged by it."""

from __future__ import annotations

import doctest
import hashlib
import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass

from grader import catalog
from grader.judge import Options, judge
from grader.model import Kata, Outcome, Submission


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked; `problem` is None when it holds."""

    kata: str
    subject: str
    problem: str | None = None


def check(kata: Kata, seed: int = 0) -> Iterator[Check]:
    """Check a kata's files against each other, and each known mistake's outcome."""
    yield _stub_is_shipped(kata)
    yield _stub_is_unwritten(kata)
    yield _examples_hold(kata)
    yield _reference_passes(kata, seed)
    for mistake in catalog.mistakes(kata):
        yield _mistake_is_caught(kata, mistake, seed)


def _stub_is_shipped(kata: Kata) -> Check:
    root = catalog.places().checkout
    problem = None
    if root is not None:
        path = root / "katas" / f"{kata.name}.py"
        if not path.is_file() or path.read_text(encoding="utf-8") != kata.stub:
            problem = f"katas/{kata.name}.py is not the stub of its reference; restore it"
    return Check(kata.name, "the stub is the reference's signature and statement", problem)


def _stub_is_unwritten(kata: Kata) -> Check:
    touched = (kata.stub + "\n# a line of one's own\n").encode()
    source = Submission("stub", touched, hashlib.sha256(touched).hexdigest())
    outcome = judge(kata, source, Options(seed=0, timing=False)).outcome
    problem = None if outcome is Outcome.UNWRITTEN else f"it is {outcome}"
    return Check(kata.name, "the stub is UNWRITTEN", problem)


def _examples_hold(kata: Kata) -> Check:
    module = catalog.reference_module(kata)
    found = doctest.DocTestFinder(recurse=False).find(
        getattr(module, kata.name), kata.name, globs=dict(vars(module))
    )
    said = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    with redirect_stdout(said):
        for test in found:
            runner.run(test)
    problem = None
    if not runner.tries:
        problem = "the statement shows no example"
    elif runner.failures:
        problem = said.getvalue().strip()
    return Check(kata.name, "the statement's examples hold for the reference", problem)


def _reference_passes(kata: Kata, seed: int) -> Check:
    report = judge(kata, "reference", Options(seed=seed, timing=False))
    failed = [v for v in report.verdicts if v.outcome is not Outcome.PASS]
    problem = None
    if not report.passed or failed:
        what = failed[0].id if failed else report.message
        problem = f"{report.outcome} with seed {seed}: {what}"
    return Check(kata.name, "the reference passes, stretch cases included", problem)


def _mistake_is_caught(kata: Kata, mistake: catalog.Mistake, seed: int) -> Check:
    report = judge(
        kata,
        f"mistake:{mistake.id}",
        Options(
            seed=seed,
            timing=False,
            stop_at_first_failure=True,
            name_mistakes=False,
            shrink=False,
        ),
    )
    due = Outcome.PASS if mistake.outcome == "stretch" else mistake.outcome
    problem = None if report.outcome == due else f"{report.outcome} with seed {seed}, due {due}"
    return Check(kata.name, f"mistake {mistake.id} is {mistake.outcome}", problem)
