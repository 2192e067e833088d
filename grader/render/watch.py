"""The last line of `kata watch`: what runs, what is asked, or the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render.page import Page

#: Key and word, in the order of the footer.
KEYS: Sequence[tuple[str, str]] = (
    ("r", "run"),
    ("h", "hint"),
    ("n", "next"),
    ("l", "list"),
    ("x", "reset"),
    ("d", "debug"),
    ("q", "quit"),
)


@dataclass(frozen=True, slots=True)
class Footer:
    """One line without an end, so that it can be written over."""

    question: str | None = None
    status: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        line = Text(no_wrap=True, overflow="crop", end="")
        if self.question:
            line.append(f"  {page.readable(self.question)} ").append("y", "kata.command")
            line.append("/").append("n", "kata.command")
        elif self.status:
            line.append(f"  {page.readable(self.status)}", "kata.quiet")
        else:
            for key, word in KEYS:
                line.append("  ").append(key, "kata.command").append(f" {word}", "kata.quiet")
        line.truncate(max(page.width - 1, 1))
        yield line
