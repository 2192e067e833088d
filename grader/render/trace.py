"""Merges step by step: the pair, what else there was, and the words as spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render import words
from grader.render.page import Page, line_of

#: Neighbouring symbols take turns, so that borders show where there is colour.
SPANS = ("kata.span.one", "kata.span.two")


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A word as its symbols; those at `made` have just been made and stand in brackets."""

    symbols: Sequence[str]
    made: Sequence[int] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class StepRow:
    """One merge."""

    head: str  # `1`, or `rank 0`
    pair: str
    result: str
    remark: str  # how often, and whether it was a tie
    candidates: Sequence[tuple[str, str]]  # what it was chosen from, best first
    left_out: int  # candidates beyond those
    rows: Sequence[SpanRow]
    rows_left_out: int


@dataclass(frozen=True, slots=True)
class StartView:
    """What is about to be merged, and by which rule."""

    title: str
    rule: str
    rows: Sequence[SpanRow]
    rows_left_out: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield from page.wrapped(Text(page.readable(self.title), "kata.name"), indent=0)
        yield from page.prose(self.rule, indent=0, style="kata.quiet")
        yield Text()
        yield from _spans(page, self.rows, self.rows_left_out, indent=2)


@dataclass(frozen=True, slots=True)
class StepView:
    """One round."""

    row: StepRow

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, row = Page(console, options), self.row
        yield Text()
        made = f"{_plain(page, row.pair)} {page.glyphs.arrow} {_plain(page, row.result)}"
        lead = line_of(Text(f"  {row.head}  ", "kata.step"), Text(made, "kata.call"))
        tail = Text(f"   {page.readable(row.remark)}", "kata.remark")
        if lead.cell_len + tail.cell_len <= page.prose_width:
            yield line_of(lead, tail)
        else:
            yield lead
            yield from page.prose(row.remark, indent=6, style="kata.remark")
        yield from _candidates(page, row)
        yield from _spans(page, row.rows, row.rows_left_out, indent=6)


@dataclass(frozen=True, slots=True)
class SpansView:
    """The words as they are now, and a question's first line."""

    rows: Sequence[SpanRow]
    rows_left_out: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield Text()
        yield from _spans(page, self.rows, self.rows_left_out, indent=2)


def _candidates(page: Page, row: StepRow) -> Iterator[Text]:
    if not row.candidates:
        return
    parts = [f"{_plain(page, pair)} {number}" for pair, number in row.candidates]
    told = f" {page.glyphs.dot} ".join(parts)
    if row.left_out:
        told += f" {page.glyphs.dot} {row.left_out:,} more"
    yield from page.wrapped(Text(f"from {told}", "kata.quiet"), indent=6)


def _spans(page: Page, rows: Sequence[SpanRow], left_out: int, *, indent: int) -> Iterator[Text]:
    """Words side by side, as many as fit in a line; a word longer than that is cut."""
    line = Text(" " * indent)
    for row in rows:
        word = _word(page, row, page.prose_width - indent)
        if line.plain.strip() and line.cell_len + 3 + word.cell_len > page.prose_width:
            yield line_of(line)
            line = Text(" " * indent)
        line.append("   " if line.plain.strip() else "").append_text(word)
    if left_out:
        more = Text(f"{page.glyphs.cut} {words.count(left_out, 'more word')}", "kata.quiet")
        if line.plain.strip() and line.cell_len + 3 + more.cell_len > page.prose_width:
            yield line_of(line)
            line = Text(" " * indent)
        line.append("   " if line.plain.strip() else "").append_text(more)
    if line.plain.strip():
        yield line_of(line)


def _word(page: Page, row: SpanRow, room: int) -> Text:
    count = f" {page.glyphs.times}{row.count:,}" if row.count is not None else ""
    room -= cell_len(count) + cell_len(page.glyphs.cut) + 1
    text = Text()
    for number, symbol in enumerate(row.symbols):
        shown = _plain(page, symbol)
        shown = f"[{shown}]" if number in row.made else shown
        if text.cell_len + cell_len(shown) + 1 > room:
            text.append(f" {page.glyphs.cut}")
            break
        text.append(" " if number else "").append(shown, SPANS[number % 2])
    return text.append(count, "kata.quiet")


def _plain(page: Page, text: str) -> str:
    return page.readable(text.replace("␣", page.glyphs.space))
