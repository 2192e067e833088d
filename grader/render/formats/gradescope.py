"""Gradescope's `results.json`: a test a kata, everything that comes from a student as text."""

from __future__ import annotations

import json
from typing import Any

from grader.gradebook import Cohort, Mark
from grader.render.formats.lines import details, headline


def render(cohort: Cohort) -> str:
    """The file of one submission."""
    (entry,) = cohort.entries
    document = {
        # The total, or Gradescope would add up the tests itself.
        "score": entry.points,
        "output": f"Graded with seed {cohort.seed}.",
        "output_format": "text",
        "execution_time": round(entry.seconds),
        # One hidden test hides the total, so all are visible.
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(number, mark) for number, mark in enumerate(entry.marks, 1)],
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _test(number: int, mark: Mark) -> dict[str, Any]:
    return {
        "name": mark.kata,
        "name_format": "text",
        "number": str(number),
        "score": mark.points,
        "max_score": mark.max_points,
        "status": "passed" if mark.passed else "failed",
        "output": "\n".join([headline(mark), *details(mark)]),
        "output_format": "text",
        "visibility": "visible",
    }
