"""A failing call before it is repeated, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render.page import Page, line_of
from grader.render.values import aligned, compared, folded


@dataclass(frozen=True, slots=True)
class CallView:
    """The call that is about to be made, with the law it broke."""

    name: str
    outcome: str
    title: str
    call: str
    note: str | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        told = f" {page.glyphs.dot} the last counterexample, {page.readable(self.outcome)}"
        yield line_of(Text(self.name, "kata.name"), Text(told))
        yield Text()
        yield from page.wrapped(Text(page.readable(self.title), "kata.law"), indent=2)
        yield Text()
        lines = folded(page.visible_code(self.call), page.width - 6)
        yield from page.code(lines, indent=6, style="kata.call")
        if self.note:
            yield Text()
            yield from page.prose(self.note, indent=6)
        yield Text()


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Yours and what was due, for the result and each argument that ended up wrong."""

    value: str
    wrong: tuple[tuple[str, str, str], ...]  # name ("" for the result), yours, expected
    note: str | None  # why the case failed all the same, when nothing is wrong here

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield Text()
        if not self.wrong:
            yield from page.prose("The answer is right.", indent=2, style="kata.passed")
            if self.note:
                told = "The case failed for something only the sandbox sees: " + self.note + "."
                yield from page.prose(told, indent=2)
        for name, yours, expected in self.wrong:
            yield from _difference(page, name, yours, expected)


def _difference(page: Page, name: str, yours: str, expected: str) -> Iterator[Text]:
    if name:
        yield from page.prose(f"{name}, after the call:", indent=2)
    one, other = aligned(yours, expected)
    room = page.width - 13
    pair = compared(page.visible(one), page.visible(other), room, page.glyphs.cut)
    yield line_of(Text("  yours      ", "kata.quiet"), Text(pair.yours, "kata.yours"))
    yield line_of(Text("  expected   ", "kata.quiet"), Text(pair.expected, "kata.expected"))
    if pair.column is not None:
        mark = Text(f"{page.glyphs.up} first difference", "kata.difference")
        yield line_of(Text(" " * (13 + pair.column)), mark)
