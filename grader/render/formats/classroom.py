"""The result GitHub Classroom's autograding reporter takes: JSON in base64, on one line."""

from __future__ import annotations

import base64
import json
from typing import Any

from grader.gradebook import Cohort, Mark
from grader.render.formats.lines import details, headline

#: A step's output may be 1 MB; base64 takes a third more than what it carries.
MAX_BYTES = 600_000
_CUTS = (8000, 1000, 200)
_STATUS = {"PASS": "pass", "BROKEN": "error", "NOT_GRADED": "error"}


def render(cohort: Cohort) -> str:
    """The line of one submission."""
    data = b""
    for limit in _CUTS:
        data = json.dumps(_document(cohort, limit), ensure_ascii=True).encode()
        if len(data) <= MAX_BYTES:
            break
    return base64.b64encode(data).decode("ascii") + "\n"


def _document(cohort: Cohort, limit: int) -> dict[str, Any]:
    (entry,) = cohort.entries
    tests = [_test(mark, limit) for mark in entry.marks]
    states = {test["status"] for test in tests}
    return {
        "version": 1,
        "status": "error" if "error" in states else "fail" if "fail" in states else "pass",
        # The console counts tests and the notice adds up scores, so each is worth one.
        "max_score": len(tests),
        "tests": tests,
    }


def _test(mark: Mark, limit: int) -> dict[str, Any]:
    message = "\n".join([headline(mark), *details(mark)])[:limit]
    return {
        "name": mark.kata,
        "status": _STATUS.get(mark.result, "fail"),
        "score": 1 if mark.passed else 0,
        "message": "" if mark.passed else message,
        "test_code": f"kata run {mark.kata}",
        "filename": f"katas/{mark.kata}.py",
        "line_no": _line(mark),
        "duration": round((mark.report or {}).get("measured", {}).get("seconds", 0.0) * 1000),
    }


def _line(mark: Mark) -> int:
    case = mark.first_failure or {}
    found = (mark.report or {}).get("problem") or case.get("counterexample") or {}
    return int(found.get("line") or mark.line or 1)
