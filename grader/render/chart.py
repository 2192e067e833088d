"""A chart of dots on a logarithmic axis: equal factors are equally wide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from grader.render import words
from grader.render.page import Page, line_of

LEAST, MOST = 20, 60  # columns of the axis


def dots(page: Page, rows: Sequence[tuple[str, float]], *, indent: int = 2) -> Iterator[Text]:
    """A line for each name and its positive seconds, and the axis with its decades."""
    names = max(cell_len(name) for name, _ in rows)
    room = page.width - indent - names - 2 - 10
    width = max(LEAST, min(MOST, room))
    low = math.floor(math.log10(min(seconds for _, seconds in rows)))
    high = math.ceil(math.log10(max(seconds for _, seconds in rows)))
    high = max(high, low + 1)

    def column(logarithm: float) -> int:
        return round((logarithm - low) / (high - low) * (width - 1))

    for name, seconds in rows:
        at = column(math.log10(seconds))
        lead = Text(" " * indent + name.ljust(names) + "  ")
        line = Text(page.glyphs.idle * at, "kata.quiet").append(page.glyphs.point, "kata.name")
        yield line_of(lead, line, Text(f"  {words.duration(seconds)}"))
    marks = [" "] * (width + 10)
    for decade in range(low, high + 1):
        text = words.duration(10.0**decade).replace(".0 ", " ").replace(".00 ", " ")
        at = min(column(decade), width - 1)
        if all(c == " " for c in marks[max(0, at - 1) : at + len(text)]):
            marks[at : at + len(text)] = text
    yield line_of(Text(" " * (indent + names + 2)), Text("".join(marks), "kata.quiet"))
