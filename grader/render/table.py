"""A small table: columns where there is room, a paragraph for each row where there is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from grader.render.page import Page, line_of

GAP = 3


@dataclass(frozen=True, slots=True)
class Table:
    """`head` names the columns; the first one holds the rows' names and has no name itself."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_lines(page: Page, table: Table, *, indent: int = 2) -> Iterator[Text]:
    """The table for a terminal; its cells are our own words."""
    widths = [max(map(cell_len, column)) for column in zip(table.head, *table.rows, strict=True)]
    if table.title:
        yield from page.prose(table.title, indent=indent, style="kata.name")
    if indent + sum(widths) + GAP * (len(widths) - 1) <= page.width:
        yield _row(page, table.head, widths, indent, "kata.quiet")
        for row in table.rows:
            yield _row(page, row, widths, indent, "")
        return
    for row in table.rows:
        facts = zip(table.head[1:], row[1:], strict=True)
        told = [f"{name} {cell}" for name, cell in facts if cell != page.glyphs.dash]
        yield from page.prose(row[0], indent=indent)
        yield from page.prose(page.joined(*told) or page.glyphs.dash, indent=indent + 2)


def _row(page: Page, cells: Sequence[str], widths: Sequence[int], indent: int, style: str) -> Text:
    padded = (
        page.readable(cell) + " " * (width - cell_len(cell) + GAP)
        for cell, width in zip(cells, widths, strict=True)
    )
    return line_of(Text(" " * indent), Text("".join(padded), style))


def markdown(table: Table) -> str:
    """The same for a page of documentation."""
    lines = [table.head, tuple("---" for _ in table.head), *table.rows]
    rows = "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in lines)
    return f"**{table.title}**\n\n{rows}\n" if table.title else f"{rows}\n"
