"""`kata dev check --strength`: how much a suite notices, measured on mistakes and mutants."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from grader import catalog
from grader.errors import GraderFault
from grader.judge import Options, judge
from grader.model import Kata, Outcome, Submission
from grader.mutants import mutants

#: An endless mutant need not wait for a student's deadline.
CALL_S = {"pure": 1.0, "corpus": 5.0}


@dataclass(frozen=True, slots=True)
class Caught:
    """A known mistake under several seeds."""

    mistake: str
    due: str
    killed: int  # in how many seeds the outcome was the declared one
    seeds: int
    seconds: float  # median time to the first failure
    diagnosed: str | None  # the name given in the first seed


@dataclass(frozen=True, slots=True)
class Mutated:
    """A mutant: killed by a case, or alive; `reason` when it is known to be equivalent."""

    line: int
    change: str
    killer: str | None
    reason: str | None


def mistakes(kata: Kata, seeds: int) -> Iterator[Caught]:
    """Every known mistake, judged with each seed."""
    for mistake in catalog.mistakes(kata):
        due = Outcome.PASS if mistake.outcome == "stretch" else mistake.outcome
        reports = [
            judge(
                kata,
                f"mistake:{mistake.id}",
                Options(
                    seed=seed,
                    timing=False,
                    stop_at_first_failure=True,
                    name_mistakes=seed == 0,
                    shrink=seed == 0,
                ),
            )
            for seed in range(seeds)
        ]
        times = sorted(sum(v.seconds for v in report.verdicts) for report in reports)
        first = reports[0].diagnosis
        yield Caught(
            mistake.id,
            mistake.outcome,
            sum(report.outcome == due for report in reports),
            seeds,
            times[len(times) // 2],
            first.id if first else None,
        )


def mutated(kata: Kata, seed: int = 0) -> Iterator[Mutated]:
    """Every mutant of the reference, judged once; only survivors cost a whole suite."""
    quick = replace(kata, limits=replace(kata.limits, call_s=CALL_S[kata.policy]))
    known = equivalents(kata)
    options = Options(
        seed=seed,
        timing=False,
        stop_at_first_failure=True,
        stretch=False,
        name_mistakes=False,
        shrink=False,
    )
    for mutant in mutants(scaled(kata)):
        source = mutant.source.encode()
        found = Submission(f"mutant:{mutant.line}", source, hashlib.sha256(source).hexdigest())
        report = judge(quick, found, options)
        killer = None
        if not report.passed:
            failed = [v.id for v in report.verdicts if v.outcome not in (Outcome.PASS, None)]
            killer = failed[0] if failed else str(report.outcome)
        yield Mutated(
            mutant.line, mutant.change, killer, None if killer else known.get(mutant.change)
        )


def equivalents(kata: Kata) -> dict[str, str]:
    """The mutants of a kata that change nothing a learner could see: change -> reason."""
    return {entry["change"]: entry["reason"] for entry in _declared().get(kata.name, [])}


def scaled(kata: Kata) -> str:
    """The source of a reference, with the sizes its kata declares as `scaled` made smaller.

    What is written for large files is then reached by the small ones of a suite. Raises
    `GraderFault` when the source does not have what is to be replaced just once.
    """
    source = kata.reference.read_text(encoding="utf-8")
    for old, new in _declared().get("scaled", {}).get(kata.name, {}).items():
        if source.count(old) != 1:
            raise GraderFault(f"{MUTANTS}: {old!r} is not once in {kata.reference}; mend it.")
        source = source.replace(old, new)
    return source


MUTANTS = "equivalent_mutants.toml"


def _declared() -> dict[str, Any]:
    path = catalog.places().suites / MUTANTS
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
