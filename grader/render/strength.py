"""What a suite notices: lines for known mistakes and for mutants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Outcome
from grader.render.case import mark
from grader.render.page import Page, line_of


class Caught(Protocol):
    """A known mistake under several seeds (see `grader.strength`)."""

    @property
    def mistake(self) -> str: ...
    @property
    def due(self) -> str: ...
    @property
    def killed(self) -> int: ...
    @property
    def seeds(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def diagnosed(self) -> str | None: ...


class Mutated(Protocol):
    """A mutant and what became of it."""

    @property
    def line(self) -> int: ...
    @property
    def change(self) -> str: ...
    @property
    def reason(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class CaughtView:
    """One line a mistake: its outcome in n of m seeds, time to the first failure, diagnosis."""

    caught: Caught

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, caught = Page(console, options), self.caught
        outcome = Outcome.PASS if caught.killed == caught.seeds else Outcome.WRONG
        named = caught.diagnosed or "no diagnosis"
        if caught.due == "stretch":
            named = f"passes, as declared; {named}"
        yield line_of(
            Text("  "),
            mark(page, outcome),
            Text(f" {caught.mistake:<34}", "kata.name"),
            Text(f"{caught.due:<8} {caught.killed:>2} of {caught.seeds:<3}"),
            Text(f"{caught.seconds:6.2f} s  {named}", "kata.quiet"),
        )


@dataclass(frozen=True, slots=True)
class MutantView:
    """A mutant that lives."""

    mutant: Mutated

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, mutant = Page(console, options), self.mutant
        outcome = Outcome.PASS if mutant.reason else Outcome.WRONG
        lead = Text("  ").append_text(mark(page, outcome)).append(f" line {mutant.line}: ")
        yield from page.wrapped(Text(page.visible(mutant.change)), indent=6, first=lead)
        if mutant.reason:
            yield from page.prose(f"equivalent: {mutant.reason}", indent=6, style="kata.quiet")


@dataclass(frozen=True, slots=True)
class SumView:
    """The mutants of a kata in one line."""

    killed: int
    alive: int
    equivalent: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        told = f"mutants: {self.killed} killed, {self.alive} survived, {self.equivalent} equivalent"
        yield from page.prose(told, indent=2)
        yield Text()
