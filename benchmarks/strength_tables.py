"""What the suites notice and what they put up with, as three tables.

    python benchmarks/strength_tables.py [--seeds 20] [--no-mutants] [KATA ...]

Every known mistake: in how many seeds its outcome is the declared one, the seconds of the cases
up to the first that fails, the seconds it takes to name it, and the name. Every mutant that no
case kills. Every right solution of `tests/right`: in how many seeds it passes.

The first seed runs as for a user, sandbox, shrinking and diagnosis included. For the others the
case that failed is run alone, in this process and without shrinking; where that does not give what
is due, the whole suite in the sandbox has the last word. What hangs or depends on PYTHONHASHSEED
runs in the sandbox every time.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader import catalog, plugin, strength
from grader.catalog import Mistake
from grader.findings import overall
from grader.judge import PYTEST_OPTIONS, Options, judge
from grader.model import Kata, Outcome, Report, Submission, Tier, Verdict
from grader.solution import InProcess


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("katas", nargs="*", metavar="KATA")
    arguments.add_argument("--seeds", type=int, default=20)
    arguments.add_argument("--no-mutants", action="store_true")
    given = arguments.parse_args()
    katas = [catalog.find(name) for name in given.katas or catalog.names()]
    for kata in katas:
        mistakes(kata, given.seeds)
    if not given.no_mutants:
        for kata in katas:
            mutants(kata)
    for kata in katas:
        right(kata, given.seeds)


def mistakes(kata: Kata, seeds: int) -> None:
    """The table of one kata: mistakes x seeds, seconds, diagnosis."""
    print(f"\n{kata.name}\n  {'mistake':34} due       killed   to failure  naming  diagnosed as")
    module = catalog.load_module(kata.mistakes, f"_mistakes_of_{kata.name}")
    for mistake in catalog.mistakes(kata):
        first, naming = whole_run(kata, mistake)
        outcomes = [first.outcome]
        due = Outcome.PASS if mistake.outcome == "stretch" else Outcome(mistake.outcome)
        outcomes += [once(kata, module, mistake, seed, first, due) for seed in range(1, seeds)]
        met = f"{sum(outcome == due for outcome in outcomes)} of {seeds}"
        spent = sum(verdict.seconds for verdict in first.verdicts)
        named = first.diagnosis.id if first.diagnosis else "-"
        print(
            f"  {mistake.id:34} {mistake.outcome:8} {met:>8}   {spent:8.2f} s  {naming:4.1f} s  "
            f"{'itself' if named == mistake.id else named}",
            flush=True,
        )


def whole_run(kata: Kata, mistake: Mistake) -> tuple[Report, float]:
    """A run up to the first failure as a user has it, and the seconds of its diagnosis."""
    begun: list[float] = []
    options = Options(seed=0, timing=False, stop_at_first_failure=True)
    report = judge(
        kata,
        f"mistake:{mistake.id}",
        options,
        on_phase=lambda phase: begun.append(time.monotonic()),
    )
    return report, time.monotonic() - begun[-1] if begun else 0.0


def quick_run(kata: Kata, mistake: Mistake, seed: int) -> Report:
    """The same in the sandbox without looking for the smallest input or a name."""
    options = Options(
        seed=seed, timing=False, stop_at_first_failure=True, name_mistakes=False, shrink=False
    )
    return judge(quick(kata), f"mistake:{mistake.id}", options)


def quick(kata: Kata) -> Kata:
    """The kata with less patience: what is endless need not wait as long as for a student."""
    return replace(kata, limits=replace(kata.limits, call_s=strength.CALL_S[kata.policy]))


def once(
    kata: Kata, module: ModuleType, mistake: Mistake, seed: int, first: Report, due: Outcome
) -> Outcome:
    """The outcome under another seed."""
    if due not in (Outcome.TIMEOUT, Outcome.MEMORY) and "hash_seed" not in mistake.id:
        counted = [v for v in first.verdicts if v.tier is not Tier.STRETCH]
        failed = [v.id for v in counted if v.outcome not in (Outcome.PASS, None)]
        case = failed[0] if failed else None
        if overall(in_process(kata, getattr(module, mistake.id), seed, case)) == due:
            return due
    return quick_run(kata, mistake, seed).outcome


def in_process(
    kata: Kata, function: Callable[..., Any], seed: int, case: str | None = None
) -> list[Verdict]:
    """The verdicts of the suite, or of one case, up to the first failure; no stretch cases."""
    found: list[Verdict] = []

    def skip(tier: Tier) -> bool:
        failed = any(verdict.outcome not in (Outcome.PASS, None) for verdict in found)
        return failed or tier is Tier.STRETCH

    with tempfile.TemporaryDirectory() as folder:
        suite = plugin.SuitePlugin(
            lambda kata, number: InProcess(kata, function, Path(folder)),
            seed=seed,
            shrink=False,
            on_verdict=found.append,
            skip=skip,
        )
        what = f"{kata.suite}::test_{case}" if case else str(kata.suite)
        options = [*PYTEST_OPTIONS, f"--basetemp={folder}/tmp", what]
        pytest.main(options, plugins=[plugin, suite])
    # An unfinished run would look like a time-out; what was left out after a failure is no loss.
    return [verdict for verdict in found if verdict.outcome is not None]


def mutants(kata: Kata) -> None:
    """The mutants of one reference that live, and the sum."""
    killed, alive, equivalent = 0, 0, 0
    for mutant in strength.mutated(kata):
        killed += mutant.killer is not None
        equivalent += mutant.reason is not None
        if mutant.killer is None and mutant.reason is None:
            alive += 1
            print(f"  survived: line {mutant.line}: {mutant.change}")
    print(f"{kata.name}: {killed} mutants killed, {alive} survived, {equivalent} equivalent")


def right(kata: Kata, seeds: int) -> None:
    """The right solutions of one kata, each under every seed."""
    module = catalog.load_module(
        catalog.places().suites / "right" / f"{kata.name}.py", f"_right_{kata.name}"
    )
    for name, function in functions(module):
        outcomes = [judged_right(kata, module, name).outcome]
        outcomes += [overall(in_process(kata, function, seed)) for seed in range(1, seeds)]
        passed = sum(outcome is Outcome.PASS for outcome in outcomes)
        print(f"{kata.name}: right solution {name:36} passes {passed:2} of {seeds}", flush=True)


def functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of a module that have a docstring."""
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        own = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if own and ast.get_docstring(node):
            yield node.name, getattr(module, node.name)


def judged_right(kata: Kata, module: ModuleType, name: str) -> Report:
    """A right solution in the sandbox."""
    source = Path(str(module.__file__)).read_bytes()
    digest = hashlib.sha256(source).hexdigest()
    found = Submission(str(module.__file__), source, digest, name)
    return judge(kata, found, Options(seed=0, timing=False, name_mistakes=False, stretch=False))


if __name__ == "__main__":
    main()
