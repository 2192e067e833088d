"""What a student may see of a report: never what a hidden case expects.

Examples stand in the statement, so they stay whole. Of a hidden case stay the law, the
student's own call and answer, and what the student printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grader.gradebook import Cohort, Entry, Mark

#: Remarks of the engine about the student's own doing. What a suite remarks may say where
#: or how a right answer differs, so anything else goes.
_OWN_DOING = re.compile(
    r"the value (you return|at (\[\w+\])+ of what you return) must be |you changed the argument "
    r"|you read word |you assigned word |the same call gave different answers"
)
BROKEN_TEXT = "The grader failed here; ask the instructor, whose report has the details."


def cohort(whole: Cohort) -> Cohort:
    """The cohort as every format shows it, unless `--reveal` was given."""
    return replace(whole, entries=tuple(map(_entry, whole.entries)))


def report(whole: Mapping[str, Any]) -> dict[str, Any]:
    """One report without anything a student must not see."""
    hidden = {"message": BROKEN_TEXT} if whole["outcome"] == "BROKEN" else {}
    return {**whole, "cases": [_case(case) for case in whole["cases"]], **hidden}


def _entry(entry: Entry) -> Entry:
    return replace(entry, marks=tuple(map(_mark, entry.marks)))


def _mark(mark: Mark) -> Mark:
    text = BROKEN_TEXT if mark.result == "BROKEN" else mark.text
    return replace(mark, text=text, report=mark.report and report(mark.report))


def _case(case: Mapping[str, Any]) -> dict[str, Any]:
    found = case.get("counterexample")
    if case["tier"] == "example" or found is None:
        return dict(case)
    note = found["note"]
    judged = case["outcome"] == "WRONG"  # else the note is how the student's own code ended
    if judged and note is not None and not _OWN_DOING.match(note):
        note = None
    return {**case, "counterexample": {**found, "expected": None, "steps": [], "note": note}}
