"""An interview while it goes on: the clock, the stage, what is asked, what came of a submit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.interview.facts import Standing
from grader.render import words
from grader.render.page import Page, line_of
from grader.render.report import next_line

_COMMAND = "kata interview "


@dataclass(frozen=True, slots=True)
class StandingView:
    """Clock, stage, and what is allowed, in a block."""

    standing: Standing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, now = Page(console, options), self.standing
        mode = "strict" if now.strict else "practice"
        yield from _spread(
            page,
            Text(page.readable(now.title), "kata.name").append(f" {page.glyphs.dot} {mode}", ""),
            Text(_left(now)),
        )
        stage = f"{now.stage} of {now.stages}: {now.stage_title}"
        yield from _spread(
            page,
            Text("stage ").append(page.readable(stage), "bold"),
            Text(_stage_left(now), "kata.quiet"),
        )
        if now.kata and now.file:
            place = Text(f"  {now.kata} in ").append(page.visible(now.file), "kata.place")
            yield line_of(place)
        for fact in now.facts:
            yield from page.prose(fact)
        yield Text()
        rows = [(_COMMAND + name, about) for name, about in now.commands]
        if now.kata:
            rows.insert(0, (f"kata show {now.kata}", "the statement"))
        yield from _rows(page, rows)


@dataclass(frozen=True, slots=True)
class ClockLine:
    """One line: time left, stage, and what is allowed. Without an end when it is `live`."""

    standing: Standing
    live: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, now = Page(console, options), self.standing
        stage = f"stage {now.stage} of {now.stages}, {now.stage_title}"
        if not self.live:
            names = ", ".join(name for name, _ in now.commands)
            told = page.joined(_left(now), stage, now.kata or "", *now.facts, names)
            yield line_of(Text(page.readable(told)))
            return
        yield self._live(page)

    def _live(self, page: Page) -> Text:
        """As much as fits on a line that is never full, since it is written over."""
        now = self.standing
        line = Text(no_wrap=True, overflow="crop", end="")
        line.append(f"  {_left(now)}", "bold" if now.left_s > 120 else "kata.failed")
        leave = "  Enter leaves"
        for part in (now.stage_title, _stage_left(now)):
            text = f" {page.glyphs.dot} {page.readable(part)}"
            if line.cell_len + cell_len(text + leave) < page.width:
                line.append(text, "kata.quiet")
        line.append(leave, "kata.quiet")
        line.truncate(max(page.width - 1, 1))
        return line


@dataclass(frozen=True, slots=True)
class PlanView:
    """The stages of a plan with their minutes."""

    title: str
    minutes: int
    strict: bool
    rows: Sequence[tuple[str, float, str]]  # title, seconds, what there is to do
    notes: Sequence[str] = ()
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        mode = "strict" if self.strict else "practice"
        told = f" {page.glyphs.dot} {page.joined(f'{self.minutes} min', mode)}"
        yield line_of(Text(page.readable(self.title), "kata.name"), Text(told))
        yield Text()
        most = max(len(title) for title, _, _ in self.rows)
        for number, (title, seconds, about) in enumerate(self.rows, start=1):
            lead = Text(f"  {number}  {page.readable(title):<{most}}  ")
            lead.append(f"{words.duration(round(seconds)):>9}  ", "kata.quiet")
            yield from page.wrapped(Text(about), indent=lead.cell_len, first=lead)
        for note in self.notes:
            yield Text()
            yield from page.prose(note, indent=2)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class WelcomeView:
    """`kata interview` where none is open: what it is, and how to begin."""

    plans: Sequence[tuple[str, int, int]]  # name, minutes, functions to write
    last: str | None  # a sentence about the last interview here
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield from page.prose(
            "A mock interview: you explain, write a function against the clock, take it further "
            "and discuss. The suite is hidden: a submit says how many cases pass, not which. "
            "Afterwards there is a report.",
            indent=0,
        )
        yield Text()
        rows = [
            (f"kata interview start --plan {name}", f"{minutes} min, {_functions(count)}")
            for name, minutes, count in self.plans
        ]
        yield from _rows(page, rows)
        if self.last:
            yield Text()
            yield from page.prose(self.last, indent=0)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What is asked."""

    label: str  # `question 1 of 2`
    ask: str
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield line_of(Text(self.label, "kata.quiet"))
        yield from page.prose(self.ask, style="bold")
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class PointsView:
    """What a good answer says, what people say instead, and what to ask next."""

    points: Sequence[tuple[str, bool | None]]
    wrong: Sequence[str] = ()
    follow_up: str | None = None
    source: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        if self.points:
            yield line_of(Text("  A good answer says:"))
        for number, (point, said) in enumerate(self.points, start=1):
            yield from point_lines(page, number, point, said)
        yield from _listed(page, "Not so good:", self.wrong)
        yield from _listed(page, "Then ask:", [self.follow_up] if self.follow_up else [])
        if self.source:
            yield Text()
            yield from page.prose(self.source, style="kata.quiet")


def point_lines(page: Page, number: int, point: str, said: bool | None) -> Iterator[Text]:
    """A point with its number, and a mark where somebody has said whether it was made."""
    sign, style = " ", ""
    if said is not None:
        sign = page.glyphs.passed if said else page.glyphs.failed
        style = "kata.passed" if said else "kata.failed"
    lead = Text(f"  {number:>2} ").append(f"{sign} ", style)
    yield from page.wrapped(Text(page.readable(point)), indent=lead.cell_len, first=lead)


def _listed(page: Page, head: str, texts: Sequence[str]) -> Iterator[Text]:
    if texts:
        yield Text()
        yield line_of(Text(f"  {head}"))
    for text in texts:
        lead = Text(f"   {page.glyphs.dash} ")
        yield from page.wrapped(Text(page.readable(text)), indent=5, first=lead)


def _rows(page: Page, rows: Sequence[tuple[str, str]]) -> Iterator[Text]:
    """Commands and what they do, in two columns; below one another where it is narrow."""
    most = max(len(command) for command, _ in rows)
    for command, about in rows:
        lead = Text("  ").append(page.visible(command), "kata.command")
        if most + 34 <= page.width:
            lead.append(" " * (most - len(command) + 2))
            yield from page.wrapped(Text(page.readable(about)), indent=most + 4, first=lead)
        else:
            yield line_of(lead)
            yield from page.prose(about, indent=6, style="kata.quiet")


def _spread(page: Page, left: Text, right: Text) -> Iterator[Text]:
    gap = min(page.prose_width, page.width) - left.cell_len - right.cell_len
    if gap >= 2:
        yield line_of(left, Text(" " * gap), right)
    else:
        yield line_of(left)
        yield line_of(Text("  "), right)


def _functions(count: int) -> str:
    return f"{words.count(count, 'function')} to write"


def _left(now: Standing) -> str:
    if now.state == "paused":
        return f"paused, {words.clock(now.left_s)} left"
    return f"{words.clock(now.left_s)} left of {words.clock(now.total_s)}"


def _stage_left(now: Standing) -> str:
    if now.stage_left_s < 0:
        return f"{words.clock(-now.stage_left_s)} over its share"
    return f"{words.clock(now.stage_left_s)} of its share left"
