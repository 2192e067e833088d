"""What the judge is asked during an interview, and how much of its answer is told when."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from grader import catalog, judge
from grader.model import Outcome, Report, Submission, Tier, Verdict

Told = Callable[[Verdict | str], None]


def seed_of(session_seed: int | None, kata: str) -> int:
    """The seed of the hidden inputs: one for an interview, so that a file has one verdict."""
    text = f"interview {session_seed} {kata}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8]) % judge.SEED_BOUND


def examples(kata: str, source: Submission, seed: int | None, told: Told) -> Report:
    """Run the visible examples; the report holds nothing else."""
    found = catalog.find(kata)
    options = judge.Options(
        seed=seed_of(seed, kata), timing=False, tiers=(Tier.EXAMPLE,), name_mistakes=False
    )
    report = judge.judge(found, source, options, on_verdict=told, on_phase=told)
    shown = tuple(v for v in report.verdicts if v.tier is Tier.EXAMPLE)
    return replace(report, verdicts=shown)


def hidden(kata: str, source: Submission, seed: int | None, told: Told) -> dict[str, Any]:
    """Run the hidden suite; only what a candidate may know comes back."""
    options = judge.Options(
        seed=seed_of(seed, kata), timing=False, stretch=False, shrink=False, name_mistakes=False
    )
    report = judge.judge(catalog.find(kata), source, options, on_verdict=told, on_phase=told)
    return {"outcome": report.outcome.value, **_counts(report), "loads": report.problem is None}


def examined(
    kata: str, source: Submission, seed: int | None, told: Told, *, timing: bool
) -> tuple[Report, dict[str, Any]]:
    """Judge a version with everything there is to say, once the interview is over."""
    options = judge.Options(seed=seed_of(seed, kata), timing=None if timing else False)
    report = judge.judge(catalog.find(kata), source, options, on_verdict=told, on_phase=told)
    return report, _details(report)


def _counts(report: Report) -> dict[str, int]:
    scored = [v for v in report.verdicts if v.tier is not Tier.STRETCH]
    return {
        "passed": sum(v.outcome is Outcome.PASS for v in scored),
        "total": len(scored),
        "not_run": sum(v.outcome is None for v in scored),
    }


def _details(report: Report) -> dict[str, Any]:
    failed = [v for v in report.verdicts if v.outcome not in (Outcome.PASS, None)]
    scored = [v for v in failed if v.tier is not Tier.STRETCH]
    stretch = [v for v in report.verdicts if v.tier is Tier.STRETCH and v not in scored]
    diagnosis = report.diagnosis
    return {
        "outcome": report.outcome.value,
        **_counts(report),
        "failing": [[v.title, v.outcome.value] for v in scored if v.outcome],
        "stretch": [v.title for v in stretch if v.outcome is not Outcome.PASS],
        "counterexample": _counterexample(report, scored),
        "diagnosis": [diagnosis.title, diagnosis.text] if diagnosis else None,
        "timing": _timing(report),
    }


def _counterexample(report: Report, failed: list[Verdict]) -> list[str | None] | None:
    """Call, answer, what was expected, a note; of the module where it does not load."""
    found = report.problem or next((v.counterexample for v in failed if v.counterexample), None)
    return [found.call, found.yours, found.expected, found.note] if found else None


def _timing(report: Report) -> Mapping[str, Any] | None:
    timing = report.timing
    if timing is None:
        return None
    return {
        "on": f"{timing.corpus}, {timing.workload}",
        "ratio": timing.ratio,
        "spread": timing.spread,
        "note": timing.note,
    }
