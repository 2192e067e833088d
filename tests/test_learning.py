"""Progress and spaced repetition, from the log alone."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.cells import cell_len

from grader import catalog, learning, workspace
from grader.journal import Event, Journal
from grader.render.console import console, show
from grader.render.learning import bars
from grader.reviews import Ease, due, reviews

KATAS = catalog.all_katas()
FIRST = KATAS[0]
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> workspace.Workspace:
    workspace.create(tmp_path / "my", KATAS)
    return workspace.Workspace(tmp_path / "my")


def event(kind: str, day: float = 0, **data: object) -> Event:
    return Event(START + timedelta(days=day), kind, FIRST.name, data)


def passed(day: float = 0, sha: str = "a") -> Event:
    return event("graded", day, outcome="PASS", sha256=sha)


FAILED = event("graded", outcome="WRONG", sha256="x")


@pytest.mark.parametrize(
    ("before", "ease"),
    [
        ([], Ease.EASY),
        ([FAILED], Ease.GOOD),
        ([FAILED, event("hint", number=1)], Ease.HARD),
        ([event("hint", number=1), event("solution", early=True), FAILED], Ease.AGAIN),
        ([event("solution", early=True), event("reset")], Ease.AGAIN),
        ([FAILED, event("hint", number=1), event("reset")], Ease.EASY),
    ],
)
def test_how_it_went_is_the_rating(before: list[Event], ease: Ease) -> None:
    """From the first run to the pass: alone, after a failure, with hints, with the solution."""
    assert [review.ease for review in reviews([*before, passed(0.1)])] == [ease]


@pytest.mark.parametrize(
    ("after", "times"),
    [
        ([passed(1)], 1),  # the same version
        ([passed(0.2, "b")], 1),  # another one, but at once
        ([passed(1, "b")], 2),
        ([event("reset", 0.2), passed(0.3)], 2),
    ],
)
def test_only_writing_it_again_is_a_review(after: list[Event], times: int) -> None:
    """Running an old file again proves nothing."""
    assert len(reviews([passed(), *after])) == times


def test_what_went_well_comes_back_later() -> None:
    """Each rating waits longer than the one below it, by whole days."""
    waits = [
        due([*before, passed()])
        for before in (
            [event("solution", early=True)],
            [event("hint", number=1)],
            [FAILED],
            [],
        )
    ]
    days = [(found.at - START).days for found in waits if found]
    assert days == sorted(days)
    assert len(set(days)) >= 3
    assert days[0] >= 1


def test_a_second_pass_in_time_waits_longer() -> None:
    """The interval grows with each review."""
    first = due([passed()])
    assert first
    wait = (first.at - START).days
    second = due([passed(), event("reset", wait), passed(wait)])
    assert second
    assert (second.at - START).days - wait > wait


def test_nothing_is_due_before_a_pass(home: workspace.Workspace) -> None:
    """And the view says what schedules a kata."""
    assert due([FAILED]) is None
    assert "once it has passed" in drawn(learning.due(home.root, START))


def drawn(view: object, width: int = 80, encoding: str = "utf-8") -> str:
    target = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    show(console(target, width=width), view)  # type: ignore[arg-type]
    target.seek(0)
    return target.read()


@pytest.fixture
def practised(home: workspace.Workspace) -> workspace.Workspace:
    """A workspace with a history: the ratio went from 8 to 1.1, with one hint."""
    journal = Journal(home.root)
    journal.keep(FIRST.name, b"a", START)
    for n, ratio in enumerate((8.0, 4.0, 1.1)):
        facts = {"outcome": "PASS", "sha256": "0" * 64, "ratio": ratio, "yours_s": ratio / 10}
        journal.add("graded", FIRST.name, START + timedelta(hours=n), **facts)
    journal.add("hint", FIRST.name, START, number=1)
    journal.add("solution", KATAS[1].name, START, early=True)
    return home


def test_progress_shows_attempts_hints_times_and_what_is_due(
    practised: workspace.Workspace,
) -> None:
    """The ratio over time as a chart, from the first to the best."""
    text = drawn(learning.progress(practised.root, START))
    assert "1 attempt · 3 runs · 1 of 4 hints" in text
    assert "█▆▁  8.0× → 1.10× · best 1.10×, 110 ms" in text
    assert "due in 8 days" in text
    assert "solution seen" in text


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_progress_fits(practised: workspace.Workspace, width: int, encoding: str) -> None:
    """At every width, and with ASCII signs where there is no UTF-8."""
    for view in (
        learning.progress(practised.root, START),
        learning.due(practised.root, START + timedelta(days=30)),
    ):
        text = drawn(view, width, encoding)
        assert max(map(cell_len, text.splitlines())) <= width
        assert encoding == "utf-8" or text.isascii()


def test_due_names_what_to_do(practised: workspace.Workspace) -> None:
    """Reset, then write it again."""
    later = drawn(learning.due(practised.root, START))
    assert "nothing is due" in later
    assert "in 8 days" in later
    now = drawn(learning.due(practised.root, START + timedelta(days=30)))
    assert "1 kata due" in now
    assert f"kata reset {FIRST.name} · kata watch {FIRST.name}" in now


def test_bars_are_a_chart_of_factors() -> None:
    """Doubling is a step of the same height everywhere; one value is one bar."""
    assert bars([1, 2, 4, 8, 16, 32, 64, 128], ascii_only=False) == "▁▂▃▄▅▆▇█"
    assert bars([3.0], ascii_only=True) == "_"
