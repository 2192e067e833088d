"""The katas as a list, one as a statement, and where the learner stands."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Kata, Outcome
from grader.render.case import mark
from grader.render.escape import visible_lines
from grader.render.page import Page, line_of
from grader.render.report import next_line

_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
#: State of a kata in a workspace: the words `kata list` shows, and the mark before them.
STATES: Mapping[str, tuple[str, Outcome | None]] = {
    "missing": ("no file", None),
    "unwritten": ("not written yet", None),
    "new": ("not run yet", None),
    "changed": ("changed, not run", None),
    "passed": ("passed", Outcome.PASS),
}


@dataclass(frozen=True, slots=True)
class ListView:
    """One line a kata. `states` maps a name to a key of `STATES` or to an outcome's name."""

    katas: Sequence[Kata]
    states: Mapping[str, str]
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        for kata in self.katas:
            yield _list_line(page, kata, self.states.get(kata.name))
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class StatementView:
    """A kata's statement with its signature and visible examples."""

    kata: Kata
    path: str | None  # where the learner writes it
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, kata = Page(console, options), self.kata
        facts = page.joined("", kata.level, f"{kata.minutes} min")
        yield line_of(Text(kata.name, "kata.name"), Text(f" {page.glyphs.dot} {facts}"))
        yield from page.prose(kata.title, indent=0, style="kata.quiet")
        yield Text()
        yield from page.code(_signature(kata, page.width - 2), indent=2, style="kata.call")
        yield Text()
        yield from _statement(page, kata.statement)
        if self.path:
            yield Text()
            yield from page.prose(f"Write it in {self.path}.", indent=2)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class WhereView:
    """What `kata` alone shows: the workspace, how far it is, the next step."""

    version: str
    folder: str | None  # the learner's `katas` folder
    total: int
    passed: int
    sentence: str
    next_steps: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        facts = [self.version]
        if self.folder:
            facts += [f"{self.passed} of {self.total} passed", page.visible(self.folder)]
        yield line_of(Text("bpe-kata ", "kata.name"), Text(page.joined(*facts)))
        yield Text()
        yield from page.prose(self.sentence, indent=2)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class CreatedView:
    """What `kata init` made."""

    folder: str
    katas: int
    next_steps: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield from page.prose(f"{self.folder} is ready, with {self.katas} katas.", indent=0)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class CheckView:
    """One finding of `kata dev check`; `problem` is None when it holds."""

    subject: str
    problem: str | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        outcome = Outcome.WRONG if self.problem else Outcome.PASS
        lead = Text("  ").append_text(mark(page, outcome)).append(" ")
        yield from page.wrapped(Text(page.readable(self.subject)), indent=4, first=lead)
        for line in visible_lines(self.problem or "", ascii_only=page.ascii_only):
            yield from page.prose(line, indent=6, style="kata.failed")


def _list_line(page: Page, kata: Kata, state: str | None) -> Text:
    words, outcome = _state(state)
    return line_of(
        Text("  "),
        mark(page, outcome) if state else Text(" "),
        Text(f" {kata.name:<16}", "kata.name"),
        Text(f"  {kata.level:<9}  {kata.minutes:>3} min", "kata.quiet"),
        Text(f"   {words}".rstrip()),
    )


def _state(state: str | None) -> tuple[str, Outcome | None]:
    if state is None:
        return "", None
    if state in STATES:
        return STATES[state]
    return f"{state} last time", Outcome(state)


def _signature(kata: Kata, width: int) -> list[str]:
    parameters = [f"{p.name}: {p.type}" if p.type else p.name for p in kata.signature.parameters]
    head, tail = f"def {kata.signature.name}(", f") -> {kata.signature.returns}:"
    line = head + ", ".join(parameters) + tail
    if len(line) <= width:
        return [line]
    return [head, *(f"    {parameter}," for parameter in parameters), tail]


def _statement(page: Page, statement: str) -> Iterator[Text]:
    """As it is written where it fits, otherwise with its prose wrapped again."""
    lines = statement.splitlines()
    fits = all(cell_len(line) + 2 <= page.width for line in lines)
    for block in _blocks(lines):
        if fits or _is_code(block):
            for line in block:
                yield line_of(Text("  " + _shown(page, line), _style(line)))
        else:
            yield from _refilled(page, block)


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Runs of lines that belong together: a paragraph, an item of a list, code."""
    block: list[str] = []
    for line in lines:
        starts = not line.strip() or _marker(line)
        if block and (starts or not block[0].strip()):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _is_code(block: list[str]) -> bool:
    return block[0].startswith((">>>", "    ")) and not _marker(block[0])


def _marker(line: str) -> int:
    """The width of `- ` or `1. ` at the beginning of a list's item; 0 elsewhere."""
    found = _ITEM.match(line.lstrip())
    return found.end() if found else 0


def _refilled(page: Page, block: list[str]) -> Iterator[Text]:
    first = block[0]
    indent = len(first) - len(first.lstrip())
    hang = indent + _marker(first)
    text = " ".join(line.strip() for line in block)
    for line in textwrap.wrap(
        text,
        page.width - 2,
        initial_indent=" " * indent,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]:
        yield line_of(Text("  " + page.readable(line)))


def _shown(page: Page, line: str) -> str:
    return page.visible(line) if _is_code([line]) else page.readable(line)


def _style(line: str) -> str:
    return "kata.call" if line.lstrip().startswith((">>>", "...")) else ""
