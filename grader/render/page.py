"""The sheet a view writes on: a width, a character set, and lines that never break code."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions
from rich.text import Text

from grader.render import escape
from grader.render.theme import ASCII, UNICODE, Glyphs

#: Prose wider than this is hard to read.
PROSE_WIDTH = 100


class Page:
    """What a view knows about where it will be shown."""

    def __init__(self, console: Console, options: ConsoleOptions) -> None:
        self._console = console
        self.width = options.max_width
        self.prose_width = min(self.width, PROSE_WIDTH)
        self.ascii_only = options.ascii_only
        self.glyphs: Glyphs = ASCII if options.ascii_only else UNICODE

    def visible(self, text: str) -> str:
        """Untrusted text or code: exact."""
        return escape.visible(text, ascii_only=self.ascii_only)

    def visible_code(self, source: str) -> str:
        """Statements, one a line."""
        return "\n".join(self.visible(line) for line in source.splitlines())

    def readable(self, text: str) -> str:
        """Prose, ours or with a student's words in it."""
        return escape.readable(text, ascii_only=self.ascii_only)

    def joined(self, *parts: str) -> str:
        """`a · b · c`, without the empty parts."""
        return f" {self.glyphs.dot} ".join(part for part in parts if part)

    def prose(self, text: str, *, indent: int = 2, style: str = "") -> Iterator[Text]:
        """A paragraph, wrapped at words."""
        yield from self.wrapped(Text(self.readable(text), style), indent=indent)

    def wrapped(self, text: Text, *, indent: int, first: Text | None = None) -> Iterator[Text]:
        """`text` wrapped behind `indent` columns; `first` is written in front of line one."""
        margin = Text(" " * indent)
        room = max(self.prose_width - indent, 10)
        for number, line in enumerate(text.wrap(self._console, room)):
            yield line_of(first if first and not number else margin, line)

    def code(self, lines: list[str], *, indent: int, style: str) -> Iterator[Text]:
        """Lines that must stay whole; a longer one runs over the edge, so it can be copied."""
        for line in lines:
            yield line_of(Text(" " * indent), Text(line, style))


def line_of(*parts: Text) -> Text:
    """One line that is never wrapped or cut, without blanks at its end."""
    line = Text(no_wrap=True, overflow="ignore", end="\n")
    for part in parts:
        line.append_text(part)
    line.rstrip()
    return line
