"""A Report again from the data of `kata-report/1`, for the views that show one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.model import (
    Counterexample,
    Diagnosis,
    Growth,
    Isolation,
    Kata,
    Outcome,
    Report,
    Side,
    Stage,
    Submission,
    Tier,
    Timing,
    Verdict,
)


def report(kata: Kata, data: Mapping[str, Any]) -> Report:
    """The report; raises `LookupError`, `TypeError` or `ValueError` for other data."""
    return Report(
        kata=kata,
        submission=Submission(data["submission"]["path"], b"", data["submission"]["sha256"]),
        outcome=Outcome(data["outcome"]),
        verdicts=tuple(map(_verdict, data["cases"])),
        seed=int(data["seed"]),
        isolation=Isolation(**data["isolation"]),
        versions=dict(data["versions"]),
        message=data["message"],
        problem=_counterexample(data["problem"]),
        diagnosis=_diagnosis(data["diagnosis"]),
        timing=_timing(data["timing"]),
        seconds=float(data["measured"]["seconds"]),
    )


def _verdict(case: Mapping[str, Any]) -> Verdict:
    return Verdict(
        id=str(case["id"]),
        title=str(case["title"]),
        tier=Tier(case["tier"]),
        outcome=None if case["outcome"] is None else Outcome(case["outcome"]),
        inputs=int(case["inputs"]),
        counterexample=_counterexample(case.get("counterexample")),
        seconds=float(case["seconds"]),
    )


def _counterexample(data: Mapping[str, Any] | None) -> Counterexample | None:
    if data is None:
        return None
    steps = tuple((str(a), str(b), str(c)) for a, b, c in data["steps"])
    return Counterexample(**{**data, "steps": steps})


def _timing(data: Mapping[str, Any] | None) -> Timing | None:
    if data is None:
        return None
    return Timing(**{**data, "sides": tuple(map(_side, data.get("sides", ())))})


def _side(data: Mapping[str, Any]) -> Side:
    growths = tuple(
        Growth(**{**each, "sizes": tuple(each["sizes"]), "seconds": tuple(each["seconds"])})
        for each in data["growths"]
    )
    stages = tuple(Stage(**each) for each in data["stages"])
    return Side(**{**data, "growths": growths, "stages": stages})


def _diagnosis(data: Mapping[str, Any] | None) -> Diagnosis | None:
    if data is None:
        return None
    agree, asked = data["agrees"]
    kind = data.get("kind", "answers")
    return Diagnosis(data["id"], data["title"], data["text"], (int(agree), int(asked)), kind)
