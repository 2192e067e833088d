"""How far the learner is: states, attempts, times as a small chart, and what is due."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Kata, Outcome
from grader.render import words
from grader.render.case import mark
from grader.render.catalog import STATES
from grader.render.page import Page, line_of
from grader.render.report import next_line

_BARS, _ASCII_BARS = "▁▂▃▄▅▆▇█", "_.-=+*%#"
_MOST_BARS = 24


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """One kata as `kata progress` shows it."""

    kata: Kata
    state: str  # a key of STATES, or an outcome's name
    attempts: int
    runs: int
    hints: int
    looked: bool  # at the solution, before a pass
    best_s: float | None
    ratios: Sequence[float]  # of the runs that were timed, oldest first
    due_days: int | None  # from today; None before the first pass


@dataclass(frozen=True, slots=True)
class ProgressView:
    """Every kata in two or three lines."""

    rows: Sequence[ProgressRow]
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        passed = sum(row.state == "passed" for row in self.rows)
        runs = sum(row.runs for row in self.rows)
        told = page.joined(f"{passed} of {len(self.rows)} pass", words.count(runs, "run"))
        yield line_of(Text("progress", "kata.name"), Text(f" {page.glyphs.dot} {told}"))
        for row in self.rows:
            yield Text()
            yield from _progress(page, row)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class DueRow:
    """One kata as `kata due` shows it."""

    name: str
    on: date
    days: int  # from today; 0 or less is now
    last: date
    ease: str
    times: int


@dataclass(frozen=True, slots=True)
class DueView:
    """What should be written again, the oldest first; then what comes later."""

    rows: Sequence[DueRow]
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        now = sum(row.days <= 0 for row in self.rows)
        told = f"{words.count(now, 'kata')} due" if now else "nothing is due"
        if not self.rows:
            told = "nothing is due; a kata is scheduled once it has passed"
        yield line_of(Text("due", "kata.name"), Text(f" {page.glyphs.dot} {told}"))
        if self.rows:
            yield Text()
        for row in self.rows:
            yield from _due(page, row)
        yield from next_line(page, self.next_steps)


def when(days: int) -> str:
    """`now`, `tomorrow`, `in 5 days`."""
    if days <= 0:
        return "now"
    return "tomorrow" if days == 1 else f"in {days} days"


def bars(values: Sequence[float], *, ascii_only: bool) -> str:
    """A chart of one line; the scale is the logarithm, since a ratio is a factor."""
    signs = _ASCII_BARS if ascii_only else _BARS
    logs = [math.log(max(value, 1e-9)) for value in values[-_MOST_BARS:]]
    low, high = min(logs, default=0.0), max(logs, default=0.0)
    room = (high - low) or 1.0
    return "".join(signs[round((value - low) / room * (len(signs) - 1))] for value in logs)


def _progress(page: Page, row: ProgressRow) -> Iterator[Text]:
    told, outcome = STATES.get(row.state) or (f"{row.state} last time", Outcome(row.state))
    facts = [told]
    if row.due_days is not None:
        facts.append(f"due {when(row.due_days)}")
    yield line_of(
        Text("  "),
        mark(page, outcome),
        Text(f" {row.kata.name:<16}", "kata.name"),
        Text(f"  {page.joined(*facts)}"),
    )
    counts = [words.count(row.attempts, "attempt"), words.count(row.runs, "run")]
    if row.hints:
        counts.append(f"{row.hints} of {len(row.kata.hints)} hints")
    if row.looked:
        counts.append("solution seen")
    if row.runs or row.hints or row.looked:
        yield from page.prose(page.joined(*counts), indent=22, style="kata.quiet")
    if row.ratios:
        yield from _chart(page, row)


def _chart(page: Page, row: ProgressRow) -> Iterator[Text]:
    first, last, best = row.ratios[0], row.ratios[-1], min(row.ratios)
    shown = [words.ratio(value, None, page.glyphs) for value in (first, last, best)]
    parts = [f"best {shown[2]}"]
    if row.best_s is not None:
        parts[0] += f", {words.duration(row.best_s)}"
    if len(row.ratios) > 1:
        parts.insert(0, f"{shown[0]} {page.glyphs.arrow} {shown[1]}")
    chart = bars(row.ratios, ascii_only=page.ascii_only)
    lead, told = Text(" " * 22 + chart, "kata.call"), Text(f"  {page.joined(*parts)}")
    if lead.cell_len + told.cell_len <= page.width:
        yield line_of(lead, told)
    else:
        yield line_of(lead)
        yield from page.prose(told.plain.strip(), indent=22)


def _due(page: Page, row: DueRow) -> Iterator[Text]:
    style = "kata.unwritten" if row.days <= 0 else ""
    facts = f"last on {row.last:%Y-%m-%d}, {row.ease}"
    lead = line_of(
        Text(f"  {row.name:<16}", "kata.name"),
        Text(f"  {when(row.days):<11}", style),
        Text(f"{row.on:%Y-%m-%d}", "kata.quiet"),
    )
    if lead.cell_len + 3 + len(facts) <= page.width:
        yield line_of(lead, Text(f"   {facts}", "kata.quiet"))
    else:
        yield lead
        yield from page.prose(facts, indent=20, style="kata.quiet")
