"""An exercise on paper, and what came of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render.page import Page, line_of


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """A question with what is given, shown line by line."""

    head: str  # `3 · segment · level 2`
    ask: str
    given: Sequence[str]
    how: str | None  # how an answer is written, when it has not been said

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield Text()
        yield line_of(Text(page.readable(self.head), "kata.quiet"))
        yield from page.wrapped(Text(_given(page, self.ask), "kata.law"), indent=2)
        if self.given:
            yield Text()
        for line in self.given:
            yield line_of(Text("      "), Text(_given(page, line), "kata.call"))
        if self.how:
            yield Text()
            yield from page.wrapped(Text(_given(page, self.how), "kata.quiet"), indent=2)


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Right, wrong or shown, with the right answer and the way to it."""

    right: bool | None  # None: nobody answered
    shown: str
    why: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        shown = _given(page, self.shown)
        if self.right:
            head = Text(f"{page.glyphs.passed} Right: {shown}", "kata.passed")
        elif self.right is None:
            head = Text(f"It is {shown}")
        else:
            head = Text(f"{page.glyphs.failed} No, it is {shown}", "kata.failed")
        yield from page.wrapped(head, indent=2)
        for line in self.why:
            yield from page.wrapped(Text(_given(page, line)), indent=4)


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A sentence between two answers."""

    text: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield from page.wrapped(Text(_given(page, self.text)), indent=2)


@dataclass(frozen=True, slots=True)
class PointsView:
    """What a good answer to a question says, what people say instead, and what comes next."""

    points: Sequence[str]
    wrong: Sequence[str]
    follow_up: str
    source: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield from page.prose("A good answer says:")
        for number, point in enumerate(self.points, start=1):
            mark = Text(f"    {number}. ")
            yield from page.wrapped(Text(_given(page, point)), indent=7, first=mark)
        yield from page.prose("Often heard instead:")
        for each in self.wrong:
            mark = Text(f"    {page.glyphs.failed}  ", "kata.failed")
            yield from page.wrapped(Text(_given(page, each)), indent=7, first=mark)
        yield from page.prose(f"Next: {self.follow_up}")
        yield from page.prose(f"Source: {self.source}", style="kata.quiet")


def _given(page: Page, line: str) -> str:
    """Text of an exercise: exact, with the signs of this terminal."""
    return page.readable(line.replace("␣", page.glyphs.space))
