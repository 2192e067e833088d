"""Watching on a real pseudo-terminal, and what notices a save."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

import grader
from grader import catalog, workspace
from grader.journal import Journal
from grader.watcher import Watcher, needs_polling

pexpect = pytest.importorskip("pexpect")

ROOT = Path(grader.__file__).resolve().parent.parent
KATAS = catalog.all_katas()
KATA, SECOND = KATAS[0], KATAS[1]
ENV = {
    "PATH": os.environ["PATH"],
    "PYTHONPATH": str(ROOT),
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm",
    "NO_COLOR": "1",
}
FOOTER = " quit"


@pytest.fixture
def home(tmp_path: Path) -> workspace.Workspace:
    workspace.create(tmp_path / "my", KATAS)
    return workspace.Workspace(tmp_path / "my")


def start(home: workspace.Workspace, *args: str) -> pexpect.spawn:
    """`kata …` on a terminal of its own."""
    return pexpect.spawn(
        sys.executable,
        ["-m", "grader.cli", *args],
        cwd=str(home.root),
        env=ENV,
        encoding="utf-8",
        dimensions=(40, 100),
        timeout=30,
    )


@pytest.fixture
def watching(home: workspace.Workspace) -> Iterator[pexpect.spawn]:
    """`kata watch` on the first kata, whose answer is wrong at first."""
    save(home, answers("wrong0"))
    terminal = start(home, "watch", KATA.name)
    terminal.expect("yours .*wrong0")
    terminal.expect(FOOTER)
    yield terminal
    terminal.close(force=True)


@pytest.fixture
def idle(home: workspace.Workspace) -> Iterator[pexpect.spawn]:
    """`kata watch` on a stub, with nothing running."""
    terminal = start(home, "watch", KATA.name)
    terminal.expect("still the stub")
    terminal.expect(FOOTER)
    yield terminal
    terminal.close(force=True)


def answers(value: str) -> str:
    return f"def {KATA.name}(words):\n    return {{('a', 'b'): 1, ('{value}', 'x'): 1}}\n"


def right() -> str:
    return KATA.reference.read_text(encoding="utf-8")


def save(home: workspace.Workspace, source: str) -> None:
    """As most editors do it: a new file in the place of the old one."""
    workspace.write_atomically(home.file(KATA), source.encode())


def is_clean(terminal: pexpect.spawn) -> bool:
    """Whether the terminal echoes and reads lines."""
    modes = termios.tcgetattr(terminal.child_fd)[3]
    return bool(modes & termios.ECHO) and bool(modes & termios.ICANON)


def end(terminal: pexpect.spawn) -> int:
    """Wait for the end; the exit code, or minus the signal."""
    terminal.expect(pexpect.EOF)
    clean = is_clean(terminal)
    terminal.close()
    assert clean
    return terminal.exitstatus if terminal.exitstatus is not None else -terminal.signalstatus


def test_a_session_from_failure_to_pass(home: workspace.Workspace, watching: pexpect.spawn) -> None:
    """Failure, hint, list, another failure, pass, the next kata, and out."""
    watching.send("h")
    watching.expect(r"Show hint 1 of")
    watching.send("y")
    watching.expect("hint 1 of")
    watching.expect(FOOTER)
    watching.send("l")
    watching.expect("WRONG last time")
    watching.expect(FOOTER)
    save(home, answers("wrong1"))
    watching.expect("yours .*wrong1")
    watching.expect("still fails; r runs them all")
    watching.expect(FOOTER)
    home.file(KATA).write_text(right())  # as other editors do it: the same file, written over
    watching.expect("PASS")
    watching.send("n")
    watching.expect(f"{SECOND.name}.py is still the stub")
    watching.send("q")
    assert end(watching) == 0
    outcomes = [a.outcome for a in Journal(home.root).attempts(KATA.name)]
    assert outcomes[:2] == ["WRONG", "WRONG"]


def test_an_endless_loop_costs_nothing_but_the_next_save(
    home: workspace.Workspace, watching: pexpect.spawn
) -> None:
    """The run before is ended, and the new version judged at once."""
    save(home, f"def {KATA.name}(words):\n    while True: pass\n")
    watching.expect("running")
    save(home, answers("wrong2"))
    watching.expect("yours .*wrong2")
    watching.send("q")
    assert end(watching) == 0


def test_reset_by_key_asks_first(home: workspace.Workspace, watching: pexpect.spawn) -> None:
    """No is no; yes restores the stub and keeps the work."""
    watching.send("x")
    watching.expect("it is kept")
    watching.send("n")
    watching.expect(FOOTER)
    assert "wrong0" in home.file(KATA).read_text()
    watching.send("x")
    watching.expect("it is kept")
    watching.send("y")
    watching.expect("is the stub again")
    assert home.file(KATA).read_text() == KATA.stub
    watching.send("q")
    assert end(watching) == 0


def test_debug_by_key_has_the_terminal_to_itself(watching: pexpect.spawn) -> None:
    """The debugger reads lines, and any key goes back to watching."""
    watching.send("d")
    watching.expect(r"\(Pdb\)")
    watching.sendline("p len(words)")
    watching.expect(r"\(Pdb\)")
    watching.sendline("c")
    watching.expect("expected")
    watching.expect("any key goes back")
    watching.send(" ")
    watching.expect(FOOTER)
    watching.send("q")
    assert end(watching) == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_terminal_is_clean_however_it_ends(idle: pexpect.spawn, how: signal.Signals) -> None:
    """A signal, even one nobody can catch, leaves a terminal that echoes."""
    assert not is_clean(idle)
    os.kill(idle.pid, how)
    code = end(idle)
    assert code == {signal.SIGINT: 130, signal.SIGKILL: -9}.get(how, 128 + how)


def test_while_it_is_stopped_the_terminal_is_clean(idle: pexpect.spawn) -> None:
    """Ctrl-Z gives it back, and going on takes it again."""
    idle.sendcontrol("z")
    os.waitpid(idle.pid, os.WUNTRACED)
    assert is_clean(idle)
    os.kill(idle.pid, signal.SIGCONT)
    idle.expect(FOOTER)
    assert not is_clean(idle)
    idle.send("q")
    assert end(idle) == 0


def test_manual_runs_on_the_key_alone(home: workspace.Workspace) -> None:
    """A save does nothing; `r` runs."""
    save(home, answers("wrong0"))
    terminal = start(home, "watch", "--manual", KATA.name)
    terminal.expect("yours .*wrong0")
    terminal.expect(FOOTER)
    save(home, answers("wrong1"))
    terminal.send("r")
    terminal.expect("yours .*wrong1")
    terminal.send("q")
    assert end(terminal) == 0


def test_without_a_name_it_is_the_next_kata(home: workspace.Workspace) -> None:
    """The first one that has not passed."""
    terminal = start(home, "watch")
    terminal.expect(f"{KATA.name}.py is still the stub")
    terminal.sendcontrol("c")
    assert end(terminal) == 130


def test_in_a_pipe_reports_follow_one_another(home: workspace.Workspace) -> None:
    """No keys, no control characters, nothing twice; SIGTERM ends it."""
    save(home, answers("wrong0"))
    process = subprocess.Popen(
        [sys.executable, "-m", "grader.cli", "watch", KATA.name],
        cwd=home.root,
        env=ENV,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    told = ""
    while "more cases fail" not in told:
        told += process.stdout.readline()
    save(home, answers("wrong1"))
    while "r runs them all" not in told:
        told += process.stdout.readline()
    process.terminate()
    told += process.stdout.read()
    assert process.wait(30) == 128 + signal.SIGTERM
    assert "\x1b" not in told
    assert told.count("WRONG") == 2


# --- the other commands that ask -------------------------------------------------------


def test_reset_asks_on_a_terminal(home: workspace.Workspace) -> None:
    """No leaves the file, yes restores the stub."""
    save(home, answers("mine"))
    for answer, stays in (("n", True), ("y", False)):
        terminal = start(home, "reset", KATA.name)
        terminal.expect(r"\[y/N\]")
        terminal.sendline(answer)
        assert end(terminal) == 0
        assert ("mine" in home.file(KATA).read_text()) is stays


def test_debug_stops_at_the_first_line_and_at_an_exception(home: workspace.Workspace) -> None:
    """Under pdb on a terminal; quitting is exit code 1."""
    save(home, f"def {KATA.name}(words):\n    return words[17]\n")
    terminal = start(home, "run", KATA.name)
    terminal.expect("KeyError")
    end(terminal)
    terminal = start(home, "debug", KATA.name)
    terminal.expect(r"\(Pdb\)")
    terminal.sendline("c")
    terminal.expect("KeyError: 17")
    terminal.expect(r"\(Pdb\)")
    terminal.sendline("q")
    assert end(terminal) == 1


# --- noticing --------------------------------------------------------------------------


@pytest.mark.parametrize("poll", [False, True])
def test_a_save_is_noticed_however_it_is_made(tmp_path: Path, poll: bool) -> None:
    """Written over, replaced, removed and made again."""
    file = tmp_path / "kata.py"
    file.write_text("0")
    watcher = Watcher(tmp_path, poll=poll)
    try:
        # The thread may start late: the first change is repeated until it is seen.
        for number in range(200):
            file.write_text(f"start {number}")
            if select.select([watcher.handle], [], [], 0.1)[0]:
                break
        for change in (
            lambda: file.write_text("written over, and longer"),
            lambda: workspace.write_atomically(file, b"replaced by another file"),
            lambda: (file.unlink(), file.write_text("made again, longer than ever before")),
        ):
            watcher.clear()
            change()
            assert select.select([watcher.handle], [], [], 20)[0]
    finally:
        watcher.close()


@pytest.mark.parametrize(
    ("kind", "polls"), [("ext4", False), ("nfs4", True), ("9p", True), ("fuse.sshfs", True)]
)
def test_network_mounts_are_polled(tmp_path: Path, kind: str, polls: bool) -> None:
    """The mount that is nearest to the folder decides."""
    place = str(tmp_path / "share").replace(" ", r"\040")
    mounts = tmp_path / "mounts"
    mounts.write_text(f"none / overlay rw 0 0\nserver:/x {place} {kind} rw 0 0\nbad line\n")
    (tmp_path / "share" / "katas").mkdir(parents=True)
    assert needs_polling(tmp_path / "share" / "katas", mounts) is polls
    assert not needs_polling(tmp_path, mounts)
