"""Hints one at a time, and the solution beside the learner's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render.escape import visible_lines
from grader.render.page import Page, line_of
from grader.render.report import next_line
from grader.render.values import fitted

#: Two programs stand side by side where each has this many columns.
_COLUMN = 56


@dataclass(frozen=True, slots=True)
class HintsView:
    """Hints by their numbers, of `total`."""

    name: str
    hints: Sequence[tuple[int, str]]
    total: int
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        for number, (which, text) in enumerate(self.hints):
            if number:
                yield Text()
            told = f" {page.glyphs.dot} hint {which} of {self.total}"
            yield line_of(Text(self.name, "kata.name"), Text(told))
            yield Text()
            for paragraph in text.split("\n\n"):
                yield from page.prose(" ".join(paragraph.split()), indent=2)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class SolutionView:
    """The reference, with the learner's version beside it or above it."""

    name: str
    yours: str | None  # source text; None when there is nothing to compare
    reference: str
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        theirs = visible_lines(self.reference, ascii_only=page.ascii_only)
        yours = visible_lines(self.yours or "", ascii_only=page.ascii_only)
        if not yours:
            yield from _one(page, f"{self.name}, the reference", theirs)
        elif page.width >= 2 * _COLUMN + 5:
            yield from _beside(page, yours, theirs)
        else:
            yield from _one(page, f"{self.name}, yours", yours)
            yield Text()
            yield from _one(page, f"{self.name}, the reference", theirs)
        yield from next_line(page, self.next_steps)


def _one(page: Page, title: str, lines: list[str]) -> Iterator[Text]:
    yield line_of(Text(title, "kata.name"))
    yield Text()
    yield from page.code(lines, indent=2, style="")


def _beside(page: Page, yours: list[str], theirs: list[str]) -> Iterator[Text]:
    room = (page.width - 5) // 2
    left = max(min(max(map(cell_len, yours)), room), cell_len("yours"))
    right = page.width - left - 5
    rows = [("yours", "the reference"), ("", ""), *zip_longest(yours, theirs, fillvalue="")]
    for number, (one, other) in enumerate(rows):
        style = "" if number else "kata.name"
        yield line_of(
            Text("  "),
            Text(set_cell_size(fitted(one, left, page.glyphs.cut), left), style),
            Text(f" {page.glyphs.bar} ", "kata.quiet"),
            Text(fitted(other, right, page.glyphs.cut), style),
        )
