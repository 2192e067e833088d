"""A gradebook: a row a student, a result and its points for each kata."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from grader.gradebook import Cohort, Entry
from grader.render.escape import visible
from grader.render.formats.lines import points

#: What a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(cohort: Cohort) -> str:
    """The whole file, with a header and `\\r\\n` as RFC 4180 has it."""
    out = io.StringIO()
    rows = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    rows.writerow(_header(cohort))
    for entry in cohort.entries:
        rows.writerow([_cell(value) for value in _row(entry)])
    return out.getvalue()


def _header(cohort: Cohort) -> list[str]:
    katas = [column for kata in cohort.katas for column in (kata, f"{kata} points")]
    return [
        "student", "points", "max_points", *katas, "commit", "committed", "authored",
        "later_commits", "similar_to_reference", "mistakes", "repository",
    ]  # fmt: skip


def _row(entry: Entry) -> Iterator[str]:
    yield entry.student
    yield points(entry.points)
    yield points(entry.max_points)
    for mark in entry.marks:
        yield mark.result
        yield points(mark.points)
    origin = entry.origin
    yield origin.commit or ""
    yield origin.committed or ""
    yield origin.authored or ""
    yield "" if origin.later_commits is None else str(origin.later_commits)
    yield " ".join(mark.kata for mark in entry.marks if mark.similar)
    yield " ".join(
        f"{mark.kata}:{mark.report['diagnosis']['id'].replace(' ', '|')}"
        for mark in entry.marks
        if mark.report and mark.report["diagnosis"]
    )
    yield origin.repository


def _cell(value: str) -> str:
    safe = visible(value)
    return f"'{safe}" if safe.startswith(_FORMULA) else safe
