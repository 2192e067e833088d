"""The versions of a kata's file: a line each, and how each differs from the one before."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Outcome
from grader.render import words
from grader.render.case import mark, style_of
from grader.render.escape import visible_lines
from grader.render.page import Page, line_of
from grader.render.report import next_line
from grader.render.values import fitted

_ADDED, _REMOVED = "kata.passed", "kata.failed"


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One version as it is listed."""

    number: int
    at: datetime  # in the learner's time zone
    sha256: str
    outcome: Outcome | None  # None: kept, and never judged to the end
    ratio: float | None
    failed: str | None  # the law it broke
    current: bool  # the file is this version now


@dataclass(frozen=True, slots=True)
class AttemptsView:
    """All versions of a kata, oldest first."""

    name: str
    rows: Sequence[AttemptRow]
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        told = words.count(len(self.rows), "attempt") if self.rows else "no attempt yet"
        yield line_of(Text(self.name, "kata.name"), Text(f" {page.glyphs.dot} {told}"))
        if self.rows:
            yield Text()
        for row in self.rows:
            yield _row_line(page, row)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class DiffView:
    """How `new` differs from `old`, as a unified diff with names for both."""

    old_name: str
    new_name: str
    old: str
    new: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield line_of(Text(f"{self.old_name} {page.glyphs.arrow} {self.new_name}", "kata.name"))
        lines = list(_diff_lines(page, self.old, self.new))
        yield from lines or page.prose("no difference", indent=2, style="kata.quiet")
        yield Text()


def _row_line(page: Page, row: AttemptRow) -> Text:
    verdict = row.outcome.value if row.outcome else "not judged"
    facts = [words.ratio(row.ratio, None, page.glyphs)] if row.ratio is not None else []
    if row.outcome is not Outcome.PASS and row.failed:
        facts.append(page.readable(row.failed))
    if row.current:
        facts.insert(0, "now")
    lead = line_of(
        Text(f"  {row.number:>3}  "),
        Text(f"{row.at:%Y-%m-%d %H:%M}  {row.sha256[:8]}  ", "kata.quiet"),
        mark(page, row.outcome),
        Text(f" {verdict:<10}", style_of(row.outcome)),
    )
    room = page.prose_width - 49
    rest = fitted(page.joined(*facts), max(room, 12), page.glyphs.cut)
    gap = " " * max(49 - lead.cell_len, 2)
    return line_of(lead, Text(gap + rest if rest else "", "kata.quiet"))


def _diff_lines(page: Page, old: str, new: str) -> Iterator[Text]:
    before = visible_lines(old, ascii_only=page.ascii_only)
    after = visible_lines(new, ascii_only=page.ascii_only)
    for number, line in enumerate(difflib.unified_diff(before, after, n=2, lineterm="")):
        if number < 2:
            continue  # the two names
        style = {"+": _ADDED, "-": _REMOVED, "@": "kata.quiet"}.get(line[0], "")
        yield line_of(Text("  "), Text(line, style))
