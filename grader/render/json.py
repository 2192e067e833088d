"""A report as plain data: the format `kata-report/1`, described by `schemas/report-1.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from grader.model import Counterexample, Diagnosis, Report, Timing, Verdict
from grader.render.escape import encodable

SCHEMA = "kata-report/1"
#: What differs between two runs of the same seed and versions.
MEASURED = frozenset({"timing", "measured", "seconds"})


def to_dict(reports: Iterable[Report]) -> dict[str, Any]:
    """The object `--format json` prints."""
    made = [report_dict(report) for report in reports]
    return {
        "schema": SCHEMA,
        "passed": all(report["outcome"] == "PASS" for report in made),
        "reports": made,
    }


def dumps(data: dict[str, Any]) -> str:
    """ASCII text, the same for the same data; ends in a newline."""
    return json.dumps(data, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def verdicts(data: Any) -> Any:
    """The same data without anything measured.

    Two runs with one seed and the same versions of Python, Hypothesis and grader give
    equal results here, whatever the machine did: compare `dumps(verdicts(a))`.
    """
    if isinstance(data, dict):
        return {key: verdicts(value) for key, value in data.items() if key not in MEASURED}
    if isinstance(data, list):
        return [verdicts(item) for item in data]
    return data


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    path = Path(__file__).resolve().parent.parent / "schemas" / "report-1.json"
    return cast(dict[str, Any], json.loads(path.read_text(encoding="utf-8")))


def listed(data: Any) -> Any:
    """The same with lists for tuples, as JSON has them."""
    if isinstance(data, dict):
        return {key: listed(value) for key, value in data.items()}
    return [listed(item) for item in data] if isinstance(data, list | tuple) else data


def report_dict(report: Report) -> dict[str, Any]:
    """One entry of `reports`."""
    return {
        "kata": report.kata.name,
        "outcome": report.outcome.value,
        "message": _text(report.message),
        "problem": _counterexample(report.problem),
        "cases": [_case(verdict) for verdict in report.verdicts],
        "diagnosis": _diagnosis(report.diagnosis),
        "timing": _timing(report.timing),
        "measured": {"seconds": round(report.seconds, 6)},
        "submission": {
            "path": encodable(report.submission.path),
            "sha256": report.submission.sha256,
        },
        "isolation": {
            "level": report.isolation.level,
            "policy": report.isolation.policy,
            "capabilities": dict(report.isolation.capabilities),
            "note": _text(report.isolation.note),
        },
        "seed": report.seed,
        "versions": dict(report.versions),
    }


def _case(verdict: Verdict) -> dict[str, Any]:
    case: dict[str, Any] = {
        "id": encodable(verdict.id),
        "title": encodable(verdict.title),
        "tier": verdict.tier.value,
        "outcome": verdict.outcome and verdict.outcome.value,
        "inputs": verdict.inputs,
        "seconds": round(verdict.seconds, 6),
    }
    if verdict.counterexample is not None:
        case["counterexample"] = _counterexample(verdict.counterexample)
    return case


def _counterexample(found: Counterexample | None) -> dict[str, Any] | None:
    if found is None:
        return None
    plain = {key: encodable(v) if isinstance(v, str) else v for key, v in asdict(found).items()}
    return plain | {"steps": [[encodable(cell) for cell in step] for step in found.steps]}


def _diagnosis(diagnosis: Diagnosis | None) -> dict[str, Any] | None:
    if diagnosis is None:
        return None
    return {
        "id": diagnosis.id,
        "title": diagnosis.title,
        "text": diagnosis.text,
        "agrees": list(diagnosis.agrees),
        "kind": diagnosis.kind,
    }


def _timing(timing: Timing | None) -> dict[str, Any] | None:
    return None if timing is None else listed(asdict(timing))


def _text(text: str | None) -> str | None:
    return None if text is None else encodable(text)
