"""A question and its answer on a terminal: typed, or spoken aloud and ticked off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TextIO

from grader.errors import EXIT_PASSED, UsageError
from grader.interview import talking
from grader.interview.room import Room
from grader.interview.talking import Item
from grader.render import words
from grader.render.console import KataConsole, console, show
from grader.render.interview import PointsView, QuestionView
from grader.render.sentence import Sentence

HOW = (
    "Type your answer, and end it with an empty line; or say it aloud and press Enter. "
    "Ctrl-D leaves the question open."
)
HOW_CHECKED = (
    "Change your file for it, then `kata interview submit` checks it. Or answer in words: "
    "type, and end with an empty line; or say it aloud and press Enter. Ctrl-D leaves it open."
)


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata interview answer`, parsed."""

    text: str | None = None
    points: str | None = None
    skip: bool = False
    tick: bool | None = None  # None: in practice, not in a strict interview
    width: int | None = None


def answer(found: Room, request: Request, stdin: TextIO, stdout: TextIO) -> int:
    """Put the next question and take its answer; without a terminal, only what was given."""
    page = console(stdout, width=request.width)
    if found.look().plan.strict and (request.tick or request.points is not None):
        raise UsageError(
            "In a strict interview the interviewer ticks off, with `kata interview mark`."
        )
    item = talking.ask(found)
    if item is None:
        show(page, Sentence("There is nothing to answer here now.", ("kata interview",)))
        return EXIT_PASSED
    show(page, QuestionView(_label(item), item.ask))
    show(page, "\n")
    given = request.text is not None or request.points is not None or request.skip
    if given:
        _given(found, item, request, page)
    elif stdin.isatty():
        _asked(found, item, request, stdin, page)
    else:
        steps = ('kata interview answer --text "…"', "kata interview answer --points 1,3")
        told = "There is no terminal to answer on; give the answer with the command."
        show(page, Sentence(told, steps))
    return EXIT_PASSED


def _given(found: Room, item: Item, request: Request, page: KataConsole) -> None:
    if request.skip and (request.text is not None or request.points is not None):
        raise UsageError("Give --skip or an answer, not both.")
    ticks = talking.ticked(item.points, request.points) if request.points is not None else []
    talking.answer(found, item, text=request.text, ticks=ticks, skipped=request.skip)
    strict = found.ledger.read().session.plan.strict
    _after(found, item, ticks, page, points=() if strict else item.points, more=not strict)


def _asked(found: Room, item: Item, request: Request, stdin: TextIO, page: KataConsole) -> None:
    strict = found.ledger.read().session.plan.strict
    tick = not strict if request.tick is None else request.tick
    show(page, Sentence(HOW_CHECKED if item.checkable else HOW))
    text = _typed(stdin, page)
    if text is None:
        show(page, Sentence("Nothing was recorded; the question is still open."))
        return
    ticks: list[bool] = []
    if tick and item.points:
        show(page, PointsView([(point, None) for point in item.points]))
        ticks = _ticks(item, stdin, page)
    talking.answer(found, item, text=text or None, ticks=ticks)
    _after(found, item, ticks, page, points=(), more=tick)


def _after(
    found: Room,
    item: Item,
    ticks: list[bool],
    page: KataConsole,
    *,
    points: Sequence[str],
    more: bool,
) -> None:
    """Say that it was recorded, and in practice what there is to learn from the question."""
    if more:
        marks = [*ticks, *[None] * (len(points) - len(ticks))]
        pairs = list(zip(points, marks, strict=False))
        show(page, PointsView(pairs, item.wrong, item.follow_up, item.source))
        show(page, "\n")
    session = found.ledger.read().session
    step = "answer" if talking.pending(session) else "finish" if session.is_last else "next"
    told = f"{sum(ticks)} of {words.count(len(ticks), 'point')}. " if ticks else ""
    show(page, Sentence(f"{told}Recorded.", (f"kata interview {step}",)))


def _typed(stdin: TextIO, page: KataConsole) -> str | None:
    """Lines up to an empty one; None at the end of input before anything was said."""
    if isinstance(stdin, TextIOWrapper):
        stdin.reconfigure(errors="replace")  # what is typed need not be UTF-8
    lines: list[str] = []
    while True:
        show(page, "> ")
        page.file.flush()
        line = stdin.readline()
        if not line and not lines:
            show(page, "\n")
            return None
        if not line.strip():
            return "\n".join(lines)
        lines.append(line.rstrip("\n"))


def _ticks(item: Item, stdin: TextIO, page: KataConsole) -> list[bool]:
    while True:
        show(page, "\nWhich of these were said? Numbers like 1,3; Enter for none: ")
        page.file.flush()
        line = stdin.readline()
        try:
            return talking.ticked(item.points, line.strip() or "none")
        except UsageError as error:
            show(page, Sentence(str(error)))


def _label(item: Item) -> str:
    noun = "follow-up" if item.kata else "question"
    return f"{noun} {item.number} of {item.total}" + (f", {item.kata}" if item.kata else "")
