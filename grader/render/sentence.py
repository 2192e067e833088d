"""A paragraph of ours, and the commands that come next."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult

from grader.render.page import Page
from grader.render.report import next_line


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a command has done."""

    text: str
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield from page.prose(self.text, indent=0)
        yield from next_line(page, self.next_steps)
