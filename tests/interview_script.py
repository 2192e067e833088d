"""A 45-minute interview on a pseudo-terminal, step by step, which can be killed anywhere.

python -m tests.interview_script FOLDER [KILLS] [SEED]
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pexpect

from grader import catalog, workspace
from grader.interview.room import journals
from grader.interview.session import Kind
from grader.workspace import Workspace
from tests.interviews import FileClock

ROOT = Path(__file__).resolve().parent.parent
KATA = "pair_counts"
SKETCH = "def pair_counts(words):\n    counts = {}\n    return counts\n"
WRONG = """\
def pair_counts(words):
    counts = {}
    for symbols, count in words.items():
        for pair in zip(symbols, symbols[1:]):
            counts[pair] = count
    return counts
"""
RIGHT = WRONG.replace("= count\n", "= counts.get(pair, 0) + count\n")


@dataclass(frozen=True)
class Step:
    """At a time: save a version, type a command, talk to it. `done`: what it must leave."""

    at_s: float
    words: str
    expect: str
    done: Kind | None = None
    save: str | None = None
    talk: Sequence[tuple[str, str]] = ()  # wait for this, type that
    later_s: float | None = None  # move the clock while the command runs, then expect


def steps() -> list[Step]:
    """The whole session; minutes and seconds are those of the interview."""
    minute = 60.0
    start = f"interview start --plan screen --katas {KATA} --seed 7 --yes"
    typed = ("said aloud|say it aloud", "It learns an ordered list of merges.\n\n")
    ticks = ("Which of these", "1,2\n")
    follow = ("say it aloud", "\n")
    return [
        Step(0, start, "kata interview answer", Kind.STARTED),
        Step(0.5 * minute, "interview answer", "Recorded", Kind.ANSWERED, talk=(typed, ticks)),
        Step(3 * minute, "interview answer", "Recorded", Kind.ANSWERED, talk=(follow, ticks)),
        Step(5 * minute, "interview next", "Write it", Kind.MOVED),
        Step(9 * minute, "interview run", "did not|Counterexample|✗|x ", Kind.RAN, SKETCH),
        Step(12 * minute, "interview hint", "hint 1 of", Kind.HINTED, talk=(("It costs", "y\n"),)),
        Step(14 * minute, "interview", "Half of the time", save=WRONG, later_s=23 * minute,
             ),
        Step(24 * minute, "interview run", "hold|✗", Kind.RAN),
        Step(25 * minute, "interview submit", "WRONG, . of", Kind.JUDGED),
        Step(26 * minute, "interview pause", "stands still", Kind.PAUSED),
        Step(31 * minute, "interview resume", "Write it", Kind.RESUMED),
        Step(33 * minute, "interview run", "hold", Kind.RAN, RIGHT),
        Step(33.5 * minute, "interview submit", "PASS", Kind.JUDGED),
        Step(34 * minute, "interview next", "Take it further", Kind.MOVED),
        Step(36 * minute, "interview answer", "Recorded", Kind.ANSWERED, talk=(follow, ticks)),
        Step(38 * minute, "interview next", "Discuss", Kind.MOVED),
        Step(44 * minute, "interview answer", "Recorded", Kind.ANSWERED, talk=(typed, ticks)),
        Step(50 * minute, "interview", "The time is up", Kind.RAN_OUT),
    ]  # fmt: skip


@dataclass
class Player:
    """Plays steps in a workspace, killing some of them on the way."""

    root: Path
    transcript: list[str] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home = Workspace(self.root / "my")
        self.clock = FileClock(self.root / "clock.json")
        workspace.create(self.home.root, catalog.all_katas())
        self.clock.set(0.0)

    def play(self, step: Step, kill_after: float | None = None) -> float:
        """Do a step to its end, however often it has to be typed; seconds of the last time."""
        if step.save is not None:
            self.clock.set(step.at_s, **{KATA: step.at_s})
            workspace.write_atomically(self.home.katas / f"{KATA}.py", step.save.encode())
        self.clock.set(step.at_s)
        before = self._count(step.done)
        if kill_after is not None:
            self._type(step, kill_after)
            if step.done is not None and self._count(step.done) > before:
                return 0.0  # `kata interview` shows that it was recorded
        return self._type(step, None, again=kill_after is not None)

    def report(self) -> dict:
        """The report as data, without what is measured."""
        text, _ = self._run("interview report --format json --output " + str(self.root / "r.json"))
        assert "The report is in" in text, text
        return unmeasured(json.loads((self.root / "r.json").read_text()))

    def _count(self, kind: Kind | None) -> int:
        if kind is None or not journals(self.home):
            return 0
        lines = journals(self.home)[-1].read_text().splitlines()
        return sum(f'"event": "{kind.value}"' in line for line in lines)

    def _type(self, step: Step, kill_after: float | None, *, again: bool = False) -> float:
        begin = time.monotonic()
        terminal = self.spawn(step.words)
        timer = None
        if kill_after is not None:
            timer = threading.Timer(kill_after, _kill, [terminal.pid])
            timer.start()
        try:
            for wait, typed in step.talk:
                terminal.expect(wait)
                terminal.send(typed)
            if step.later_s is not None:
                terminal.expect("left of")
                self.clock.set(step.later_s)
                # Who comes back after the moment sees the clock, and is not warned again.
                terminal.expect("22:00 left" if again else step.expect)
                terminal.send("\n")
            elif step.done is None or kill_after is not None:
                terminal.expect([step.expect, pexpect.EOF])
            else:
                terminal.expect(step.expect)
            terminal.expect(pexpect.EOF)
        except (pexpect.EOF, OSError):
            if kill_after is None:
                raise
        finally:
            if timer:
                timer.cancel()
            terminal.close(force=True)
            self.transcript.append(f"$ kata {step.words}\n{terminal.logfile_read.text()}")
        if kill_after is not None:
            died = terminal.signalstatus == signal.SIGKILL
            self.kills.append(
                f"{step.words} after {kill_after:.2f} s: {'killed' if died else 'was done'}"
            )
        return time.monotonic() - begin

    def _run(self, words: str) -> tuple[str, int]:
        terminal = self.spawn(words)
        terminal.expect(pexpect.EOF)
        terminal.close()
        return terminal.before, terminal.exitstatus

    def spawn(self, words: str) -> pexpect.spawn:
        """`kata …` on a terminal of its own, under the clock."""
        terminal = pexpect.spawn(
            sys.executable,
            ["-m", "tests.interviews", str(self.clock.path), *words.split()],
            cwd=str(self.home.root),
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "LC_ALL": "C.UTF-8",
                "TERM": "xterm",
                "NO_COLOR": "1",
            },
            encoding="utf-8",
            dimensions=(40, 100),
            timeout=60,
        )
        terminal.logfile_read = Log()
        return terminal


class Log:
    """What a terminal showed."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def write(self, text: str) -> None:
        self._parts.append(text)

    def flush(self) -> None:
        pass

    def text(self) -> str:
        return "".join(self._parts)


def _kill(pid: int) -> None:
    """The process alone; its children end with it."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def unmeasured(data: dict) -> dict:
    """A report without times beside the reference, and without the seal, which covers them."""
    plain = {key: value for key, value in data.items() if key != "seal"}
    for written in plain["written"]:
        for version in written["versions"]:
            version |= {"ratio": None, "spread": None, "timing": None}
    for criterion in plain["rubric"]:
        if criterion["name"] == "complexity":
            criterion["evidence"] = None
    return plain


def play_all(root: Path, usual: Sequence[float] = (), kills: int = 0, seed: int = 0) -> Player:
    """The whole session. With the usual seconds of each step, some are killed on the way."""
    player, draw = Player(root), random.Random(seed)
    script = steps()
    doomed = draw.sample(range(1, len(script)), kills)
    for number, step in enumerate(script):
        after = draw.uniform(0.05, 0.6) * usual[number] if number in doomed else None
        player.seconds.append(player.play(step, after))
    return player


def main(folder: Path, kills: int = 0, seed: int = 0) -> int:
    """Play it whole, then with kills, and compare the reports."""
    whole = play_all(folder / "whole")
    found = whole.report()
    (folder / "report.json").write_text(json.dumps(found, indent=1))
    (folder / "transcript.txt").write_text("\n".join(whole.transcript))
    if not kills:
        return 0
    killed = play_all(folder / f"killed-{seed}", whole.seconds, kills, seed)
    same = killed.report() == found
    print("\n".join(killed.kills))
    print(f"the report is {'identical' if same else 'another'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *(int(word) for word in sys.argv[2:4])))
