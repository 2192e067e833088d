"""`kata drill`: exercises without end, harder after right answers and easier after wrong ones."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count as numbers
from typing import TextIO

from grader.byhand import Unread
from grader.drills import answers, kinds
from grader.drills.exercise import LEVELS, Exercise
from grader.errors import EXIT_PASSED
from grader.explain import counted
from grader.interview.questions import Question, pick, questions
from grader.render.console import KataConsole, console, show
from grader.render.drill import AnswerView, ExerciseView, PointsView, RemarkView
from grader.render.sentence import Sentence

#: Right answers in a row until a kind of exercise gets harder.
UP_AFTER = 2
SEED_BOUND = 10**6
TALK = "talk"
NAMES = (*kinds.KINDS, TALK)


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata drill`, parsed. Without a kind they are mixed."""

    kind: str | None = None
    seed: int | None = None
    count: int | None = None  # None: without end
    level: int | None = None  # None: from the first on
    width: int | None = None


@dataclass(slots=True)
class Progress:
    """The level of each kind of exercise, moved by the answers."""

    start: int
    _levels: dict[str, int] = field(default_factory=dict)
    _rights: dict[str, int] = field(default_factory=dict)  # in a row

    def level(self, kind: str) -> int:
        return self._levels.get(kind, self.start)

    def note(self, kind: str, right: bool) -> None:
        """Two right answers in a row make it harder, a wrong one easier."""
        level, row = self.level(kind), self._rights.get(kind, 0) + 1
        if not right:
            level, row = level - 1, 0
        elif row >= UP_AFTER:
            level, row = level + 1, 0
        self._levels[kind] = min(max(level, LEVELS[0]), LEVELS[-1])
        self._rights[kind] = row


@dataclass(slots=True)
class Tally:
    """How many were asked for, and how many were right."""

    rows: dict[str, list[int]] = field(default_factory=dict)  # kind -> right, asked

    def add(self, kind: str, right: int, asked: int = 1) -> None:
        row = self.rows.setdefault(kind, [0, 0])
        row[0] += right
        row[1] += asked

    def sentence(self) -> str:
        """One line: `7 of 10 right. Not right: tie 2, bytes 1.`"""
        right, asked = (sum(column) for column in zip(*self.rows.values(), strict=True))
        rest = [f"{kind} {all_ - good}" for kind, (good, all_) in self.rows.items() if good < all_]
        told = f"{right} of {asked} right."
        return f"{told} Not right: {', '.join(rest)}." if rest and len(self.rows) > 1 else told


def drill(request: Request, stdin: TextIO, stdout: TextIO) -> int:
    """Ask until the count is reached, the input ends or somebody says q; then the tally."""
    seed = secrets.randbelow(SEED_BOUND) if request.seed is None else request.seed
    table = _Table(console(stdout, width=request.width), stdin)
    show(table.page, Sentence(f"Seed {seed}. ? shows the answer, q ends."))
    ended = (_talk if request.kind == TALK else _exercises)(request, seed, table)
    show(table.page, "\n")
    show(table.page, Sentence(ended))
    return EXIT_PASSED


@dataclass(slots=True)
class _Table:
    """Where questions are put and answers come from."""

    page: KataConsole
    stdin: TextIO

    def line(self, prompt: str) -> str | None:
        """The next line, or None at q, or when the input has ended or the reader has gone."""
        self.page.print(prompt, end="")
        self.page.file.flush()
        if self.page.quiet:  # nobody reads any more (`kata drill | head`)
            return None
        line = self.stdin.readline()
        if not self.stdin.isatty():
            show(self.page, Sentence(line.strip()) if line.strip() else "\n")  # a pipe has no echo
        return None if not line or line.strip() in ("q", "quit") else line.rstrip("\r\n")


def _exercises(request: Request, seed: int, table: _Table) -> str:
    progress, tally, told = Progress(request.level or LEVELS[0]), Tally(), set()
    for number in _numbers(request):
        kind = request.kind or kinds.order(seed, number)
        exercise = kinds.exercise(kind, seed, number, progress.level(kind))
        head = f"{number} · {kind} · level {exercise.level}"
        how = None if exercise.form in told else answers.how(exercise)
        told.add(exercise.form)
        show(table.page, ExerciseView(head, exercise.ask, exercise.given, how))
        right, ended = _answered(exercise, table)
        if ended:
            return _ended(tally)
        show(table.page, AnswerView(right, exercise.shown, exercise.why))
        tally.add(kind, bool(right))
        progress.note(kind, bool(right))
    return _ended(tally)


def _answered(exercise: Exercise, table: _Table) -> tuple[bool | None, bool]:
    """Whether the answer is right (None: it was asked for), and whether that was the end."""
    while (line := table.line("  > ")) is not None:
        if line.strip() == "?":
            return None, False
        try:
            return answers.is_right(exercise, line), False
        except Unread as error:
            show(table.page, RemarkView(str(error)))
    return None, True


def _ended(tally: Tally) -> str:
    return tally.sentence() if tally.rows else "No exercise was answered."


def _numbers(request: Request) -> Iterator[int]:
    return iter(range(1, request.count + 1)) if request.count else numbers(1)


# --- questions to talk about ----------------------------------------------------------


def _talk(request: Request, seed: int, table: _Table) -> str:
    """Questions of an interview: answer aloud or in writing, then count the points you made."""
    tally = Tally()
    levels = ("basic", "solid", "deep")[request.level - 1 :] if request.level else ()
    chosen = pick(seed, request.count or len(questions()), levels)
    show(table.page, Sentence("Answer aloud or write it down; Enter shows the points."))
    for number, question in enumerate(chosen, start=1):
        head = f"{number} of {len(chosen)} · {question.topic} · {question.level}"
        show(table.page, ExerciseView(head, question.ask, (), None))
        if table.line("  > ") is None:
            break
        show(
            table.page,
            PointsView(question.points, question.wrong, question.follow_up, question.source),
        )
        made = _points(question, table)
        if made is None:
            break
        tally.add(question.topic, made, len(question.points))
    if not tally.rows:
        return "No question was answered."
    made, asked = (sum(column) for column in zip(*tally.rows.values(), strict=True))
    return f"You made {made} of {counted(asked, 'point')}."


def _points(question: Question, table: _Table) -> int | None:
    most = len(question.points)
    while (line := table.line(f"  How many of the {most} points did you make? ")) is not None:
        if line.strip().isdecimal() and int(line) <= most:
            return int(line)
        show(table.page, RemarkView(f"Write a number from 0 to {most}; q ends."))
    return None
