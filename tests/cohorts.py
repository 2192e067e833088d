"""A cohort made by hand: right, wrong, hostile, missing, for the tests of the formats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.gradebook import Cohort, Entry, Mark, Origin
from grader.model import Counterexample, Outcome
from grader.render.json import report_dict
from tests.reports import DIAGNOSIS, FOUND, LAW, failing, make_kata, make_report

HOSTILE = "\x1b[31m::error::x\r\n##[group]]]><b>&\u202e\ud800\0@everyone`|"
HEAD: dict[str, Any] = {
    "seed": 7,
    "katas": ["encode_bpe", "merge_pair"],
    "deadline": None,
    "require_isolation": {"pure": "full"},
    "timing": False,
    "versions": {"python": "3.11.9"},
    "suites": {"encode_bpe": "0" * 64},
    "extra_tests": {},
}


def mark(kata: str, outcome: Outcome = Outcome.PASS, **changes: Any) -> Mark:
    """A judged kata with its report."""
    report = make_report(outcome, kata=make_kata(kata), **changes)
    worth = 1.0 if outcome is Outcome.PASS else 0.0
    return Mark(
        kata, outcome.value, report.message, "0" * 64, 12, report_dict(report),
        points=worth, max_points=1.0,
    )  # fmt: skip


def wrong(found: Counterexample = FOUND, **changes: Any) -> Mark:
    return mark(
        "encode_bpe", Outcome.WRONG, verdicts=failing(found), diagnosis=DIAGNOSIS, **changes
    )


def hostile() -> Mark:
    """Everything a student controls is made to break a format."""
    found = replace(FOUND, yours=repr(HOSTILE), prints=HOSTILE * 50, note=HOSTILE, line=3)
    return wrong(replace(found, line_text=HOSTILE))


def single(*marks: Mark) -> Cohort:
    """One fork."""
    entry = Entry("ada", Origin("."), marks, 1.25)
    return Cohort((entry,), tuple(m.kata for m in marks), 7, several=False)


def several() -> Cohort:
    """A batch of four."""
    passed, missing = mark("merge_pair"), Mark("merge_pair", "MISSING", "It is missing.")
    missing = replace(missing, max_points=1.0)
    late = Origin("r", "main", "a" * 40, "2025-03-01T10:00:00+01:00", "2025-02-01T10:00:00Z", 2)
    entries = (
        Entry("ada", late, (replace(mark("encode_bpe"), similar=True), passed), 1.0),
        Entry("=bob()", Origin("bob"), (wrong(), passed), 2.0),
        Entry(HOSTILE.replace("\ud800", ""), Origin("x"), (hostile(), missing), 3.0),
        Entry("eve", Origin("eve"), (mark("encode_bpe", Outcome.UNWRITTEN), passed), 3.0),
    )
    return Cohort(entries, ("encode_bpe", "merge_pair"), 7, several=True)


__all__ = ["HEAD", "HOSTILE", "LAW", "hostile", "mark", "several", "single", "wrong"]
