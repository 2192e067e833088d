"""The corpora as a list, and one of them in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render.page import Page, line_of
from grader.render.report import next_line


@dataclass(frozen=True, slots=True)
class CorpusLine:
    """One corpus as the list shows it."""

    name: str
    size: str
    state: str  # where it is, or what it takes to have it
    here: bool
    about: str
    licence: str


@dataclass(frozen=True, slots=True)
class CorporaView:
    """Every corpus: on this machine or not, what it is, and on which terms."""

    lines: Sequence[CorpusLine]
    folder: str
    next_steps: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        wide = max(len(line.name) for line in self.lines) + 2
        size = max(len(line.size) for line in self.lines) + 2
        for line in self.lines:
            mark = page.glyphs.passed if line.here else page.glyphs.idle
            yield line_of(
                Text(f"{mark} ", "kata.passed" if line.here else "kata.quiet"),
                Text(f"{page.visible(line.name):<{wide}}", "kata.name"),
                Text(f"{line.size:>{size}}  "),
                Text(page.readable(line.state), "kata.quiet"),
            )
            about = f"{line.about} ({line.licence})" if line.licence else line.about
            yield from page.prose(about, indent=4, style="kata.quiet")
        yield Text()
        yield from page.prose(f"They are kept in {page.visible(self.folder)}.", indent=0)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class StatsView:
    """The counts of a corpus beside the published ones."""

    name: str
    path: str
    counts: Mapping[str, int]
    published: Mapping[str, int]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        yield line_of(
            Text(page.visible(self.name), "kata.name"),
            Text(f"  {page.visible(self.path)}", "kata.quiet"),
        )
        for name, count in self.counts.items():
            yield line_of(*self._row(page, name, count))

    def _row(self, page: Page, name: str, count: int) -> Iterator[Text]:
        yield Text(f"  {name.replace('_', ' '):<20}{count:>16,}")
        if name not in self.published:
            return
        if self.published[name] == count:
            yield Text(f"  {page.glyphs.passed} as published", "kata.passed")
        else:
            yield Text(f"  published {self.published[name]:,}", "kata.failed")
