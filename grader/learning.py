"""What `kata progress` and `kata due` show, from the log of the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from grader import catalog, practice, reviews
from grader.journal import Event, Journal
from grader.model import Kata
from grader.render.learning import DueRow, DueView, ProgressRow, ProgressView
from grader.workspace import Workspace


def progress(here: Path, now: datetime) -> ProgressView:
    """The view of `kata progress`."""
    home = practice.home_of(here)
    katas = catalog.all_katas()
    journal = Journal(home.root)
    rows = [_row(home, journal, kata, now) for kata in katas]
    following = home.next_kata(katas)
    steps = (f"kata show {following.name}",) if following else ()
    return ProgressView(rows, (*steps, "kata due"))


def due(here: Path, now: datetime) -> DueView:
    """The view of `kata due`, the kata that waits longest first."""
    home = practice.home_of(here)
    journal = Journal(home.root)
    found = [(kata, reviews.due(journal.events(kata.name))) for kata in catalog.all_katas()]
    rows = [_due_row(kata, scheduled, now) for kata, scheduled in found if scheduled]
    rows.sort(key=lambda row: row.on)
    waiting = [row.name for row in rows if row.days <= 0][:1]
    steps = [f"kata reset {name}" for name in waiting] + [f"kata watch {name}" for name in waiting]
    return DueView(rows, tuple(steps))


def _row(home: Workspace, journal: Journal, kata: Kata, now: datetime) -> ProgressRow:
    events = journal.events(kata.name)
    graded = [event.data for event in events if event.kind == "graded"]
    times = [run["yours_s"] for run in graded if _is_number(run.get("yours_s"))]
    scheduled = reviews.due(events)
    return ProgressRow(
        kata=kata,
        state=home.state(kata),
        attempts=len(journal.attempts(kata.name)),
        runs=len(graded),
        hints=_hints(events),
        looked=any(e.kind == "solution" and e.data.get("early") for e in events),
        best_s=min(times, default=None),
        ratios=[run["ratio"] for run in graded if _is_number(run.get("ratio"))],
        due_days=_days(scheduled.at, now) if scheduled else None,
    )


def _hints(events: Sequence[Event]) -> int:
    """The furthest hint that was taken."""
    taken = [e.data.get("number") for e in events if e.kind == "hint"]
    return max((number for number in taken if isinstance(number, int)), default=0)


def _due_row(kata: Kata, found: reviews.Due, now: datetime) -> DueRow:
    return DueRow(
        name=kata.name,
        on=found.at.astimezone().date(),
        days=_days(found.at, now),
        last=found.last.at.astimezone().date(),
        ease=found.last.ease.value,
        times=found.times,
    )


def _days(at: datetime, now: datetime) -> int:
    """From today's date to that one, where the learner lives."""
    return (at.astimezone().date() - now.astimezone().date()).days


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
