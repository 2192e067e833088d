"""An interview on a real pseudo-terminal: the live clock, and a process that is killed."""

from __future__ import annotations

import os
import signal
import termios
from pathlib import Path

import pytest

from grader import catalog, workspace
from grader.interview import plan, sitting
from grader.interview.ledger import Ledger
from grader.interview.room import journals

pexpect = pytest.importorskip("pexpect")

from tests.interview_script import KATA, RIGHT, Player  # noqa: E402

FIRST = catalog.find(KATA)


@pytest.fixture
def player(tmp_path: Path) -> Player:
    """A workspace with an interview that has begun, and a clock that is moved."""
    made = Player(tmp_path)
    sitting.start(made.home, plan.settled(plan.load("screen"), 7, [KATA]), made.clock)
    return made


def kinds(player: Player) -> list[str]:
    return [e.kind.value for e in Ledger(journals(player.home)[-1]).read().events]


def test_starting_asks_before_the_clock_goes(tmp_path: Path) -> None:
    """The stages are shown, and no is no."""
    player = Player(tmp_path)
    terminal = player.spawn("interview start")
    terminal.expect("Take it further")
    terminal.expect("Start the clock")
    terminal.sendline("n")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert (terminal.exitstatus, journals(player.home)) == (0, [])


def test_the_live_clock(player: Player) -> None:
    """It goes on, warns, records a save, and leaves at Enter; the interview goes on."""
    terminal = player.spawn("interview")
    terminal.expect("45:00 left of 45:00")
    terminal.expect("leaves")
    modes = termios.tcgetattr(terminal.child_fd)[3]
    assert modes & termios.ECHO
    assert modes & termios.ICANON
    workspace.write_atomically(player.home.file(FIRST), RIGHT.encode())
    player.clock.set(23 * 60)
    terminal.expect("Half of the time is over; the clock says 22:00")
    player.clock.set(36 * 60)
    terminal.expect("10 min left")
    terminal.expect("09:00 left")
    terminal.send("\n")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert kinds(player) == ["started", "edited"]


def test_a_clock_that_was_killed_costs_nothing(player: Player) -> None:
    """SIGKILL in the clock and in the middle of an answer: both can be taken up again."""
    terminal = player.spawn("interview")
    terminal.expect("leaves")
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.expect(pexpect.EOF)
    terminal.close()
    terminal = player.spawn("interview answer")
    terminal.expect("> ")
    terminal.sendline("half an ans")
    terminal.expect("> ")
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.close()
    assert kinds(player) == ["started", "asked"]
    terminal = player.spawn("interview answer")
    terminal.expect("question 1 of 2")
    terminal.send("a whole answer\n\n")
    terminal.expect("Which of these")
    terminal.send("7,x\n")
    terminal.expect("There is no point")
    terminal.send("1\n")
    terminal.expect(r"1 of \d points. Recorded")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert kinds(player) == ["started", "asked", "answered"]
