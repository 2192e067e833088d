"""The loop around a run: hints, the solution, reset, what is next."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from grader import catalog, practice, workspace
from grader.errors import UsageError
from grader.journal import Journal
from grader.render.console import console, show

KATAS = catalog.all_katas()
FIRST, SECOND = KATAS[0], KATAS[1]


@pytest.fixture
def home(tmp_path: Path) -> workspace.Workspace:
    workspace.create(tmp_path / "my", KATAS)
    return workspace.Workspace(tmp_path / "my")


def drawn(view: object, width: int = 80) -> str:
    target = io.StringIO()
    show(console(target, width=width), view)  # type: ignore[arg-type]
    return target.getvalue()


def test_hints_come_one_at_a_time(home: workspace.Workspace) -> None:
    """In order, each remembered; the last one offers the solution, and then all are shown."""
    total = len(FIRST.hints)
    for number in range(1, total + 1):
        assert practice.next_hint(FIRST.name, home.root) == (number, total)
        text = drawn(practice.hint(FIRST.name, home.root))
        assert f"hint {number} of {total}" in text
        assert FIRST.hints[number - 1].split()[0] in text
    assert f"kata solution {FIRST.name} --anyway" in text
    again = drawn(practice.hint(FIRST.name, home.root))
    assert [f"hint {n} of {total}" in again for n in range(1, total + 1)] == [True] * total


def test_after_a_pass_hints_start_over(home: workspace.Workspace) -> None:
    """Who comes back weeks later is nudged again, not told."""
    practice.hint(FIRST.name, home.root)
    Journal(home.root).add("graded", FIRST.name, outcome="PASS")
    assert practice.next_hint(FIRST.name, home.root)[0] == 1


def test_the_hints_taken_can_be_read_again(home: workspace.Workspace) -> None:
    """Without taking another."""
    with pytest.raises(UsageError, match="taken no hint"):
        practice.hints_again(FIRST.name, home.root)
    practice.hint(FIRST.name, home.root)
    assert "hint 1 of" in drawn(practice.hints_again(FIRST.name, home.root))
    assert practice.next_hint(FIRST.name, home.root)[0] == 2


def test_the_solution_waits_for_a_pass(home: workspace.Workspace) -> None:
    """Before it, `--anyway` shows it and is remembered."""
    with pytest.raises(UsageError, match="has not passed yet"):
        practice.solution(FIRST.name, False, home.root)
    assert "the reference" in drawn(practice.solution(FIRST.name, True, home.root))
    (event,) = Journal(home.root).events(FIRST.name)
    assert (event.kind, event.data["early"]) == ("solution", True)
    Journal(home.root).add("graded", FIRST.name, outcome="PASS")
    practice.solution(FIRST.name, False, home.root)


@pytest.mark.parametrize(("width", "beside"), [(80, False), (117, True), (200, True)])
def test_the_solution_stands_beside_yours_where_there_is_room(
    home: workspace.Workspace, width: int, beside: bool
) -> None:
    """Both without the statement; in a narrow window one above the other, nothing cut."""
    home.file(FIRST).write_text(FIRST.stub.replace("raise NotImplementedError", "return {}  # me"))
    Journal(home.root).add("graded", FIRST.name, outcome="PASS")
    text = drawn(practice.solution(FIRST.name, False, home.root), width)
    first = text.splitlines()[0]
    assert ("yours" in first and "the reference" in first) is beside
    assert "return {}  # me" in text
    assert ">>>" not in text
    assert max(map(len, text.splitlines())) <= max(width, 100)


def test_a_solution_of_a_broken_file_is_shown_as_it_is(home: workspace.Workspace) -> None:
    """What is no Python is compared as text, and a control character stays visible."""
    home.file(FIRST).write_text("def f(:\n\x1b[2J")
    text = drawn(practice.solution(FIRST.name, True, home.root))
    assert "def f(:" in text
    assert "\x1b" not in text


def test_reset_restores_the_stub_and_keeps_your_work(home: workspace.Workspace) -> None:
    """The old file is an attempt, and a second reset has nothing to do."""
    home.file(FIRST).write_bytes(b"mine")
    assert practice.reset(FIRST.name, home.root).endswith("what was there is attempt 1.")
    assert home.file(FIRST).read_text() == FIRST.stub
    (attempt,) = Journal(home.root).attempts(FIRST.name)
    assert attempt.source() == b"mine"
    assert "already" in practice.reset(FIRST.name, home.root)


def test_reset_brings_a_lost_file_back(home: workspace.Workspace) -> None:
    """A kata that was deleted can be started again."""
    home.file(FIRST).unlink()
    practice.reset(FIRST.name, home.root)
    assert home.state(FIRST) == "unwritten"


def test_next_is_the_first_kata_that_has_not_passed(home: workspace.Workspace) -> None:
    """Its statement; when all pass, one sentence."""
    assert drawn(practice.following(home.root)).startswith(FIRST.name)


def test_without_a_workspace_every_command_says_how_to_get_one(tmp_path: Path) -> None:
    """One sentence, `kata init DIR` in it."""
    for ask in (
        lambda: practice.attempts(FIRST.name, tmp_path),
        lambda: practice.hint(FIRST.name, tmp_path),
        lambda: practice.reset(FIRST.name, tmp_path),
        lambda: practice.following(tmp_path),
    ):
        with pytest.raises(UsageError, match="kata init DIR"):
            ask()
