"""Where an answer leaves the right one: rows of a head, what happens, a remark, in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from grader.render.page import Page, line_of
from grader.render.values import fitted

_INDENT, _GAP = 6, 3
#: No cell is longer than this, whatever a suite or a symbol makes of it.
_CELL = 300


@dataclass(frozen=True, slots=True)
class _Row:
    """A row ready to be shown; `after` is what stands behind the arrow, if there is one."""

    head: str
    before: str
    after: str
    remark: str


def step_lines(page: Page, steps: Sequence[tuple[str, str, str]]) -> Iterator[Text]:
    """The rows as one block: side by side if they fit, else remarks below, else all below."""
    if not steps:
        return
    yield Text()
    rows = [_row(page, *step) for step in steps]
    turn = max((cell_len(row.before) for row in rows if row.after), default=0)
    heads = max(cell_len(row.head) for row in rows)
    middles = max(cell_len(_middle(page, row, turn)) for row in rows)
    remarks = max(cell_len(row.remark) for row in rows)
    column = _INDENT + (heads + _GAP if heads else 0)
    if column + middles > page.width:
        for row in rows:
            yield from _stacked(page, row)
        return
    beside = column + middles + _GAP + remarks <= page.width
    for row in rows:
        head = Text(" " * _INDENT).append(set_cell_size(row.head, column - _INDENT), "kata.step")
        middle = _middle(page, row, turn)
        if beside:
            middle = set_cell_size(middle, middles + _GAP)
            yield line_of(head, Text(middle), Text(row.remark, "kata.remark"))
        else:
            yield line_of(head, Text(middle))
            yield from _below(page, row.remark, column, "kata.remark")


def _row(page: Page, head: str, happens: str, remark: str) -> _Row:
    before, _, after = happens.partition(" → ")
    return _Row(*(_cell(page, text) for text in (head, before, after, remark)))


def _cell(page: Page, text: str) -> str:
    text = page.readable(text.replace("␣", page.glyphs.space))
    return fitted(text, _CELL, page.glyphs.cut)


def _middle(page: Page, row: _Row, turn: int) -> str:
    if not row.after:
        return row.before
    return f"{set_cell_size(row.before, turn)}  {page.glyphs.arrow}  {row.after}"


def _stacked(page: Page, row: _Row) -> Iterator[Text]:
    """Each part on lines of its own, where there is no room for columns."""
    yield from _below(page, row.head, _INDENT, "kata.step")
    yield from _below(page, row.before, _INDENT + 2, "")
    if row.after:
        arrow = Text(" " * (_INDENT + 2) + page.glyphs.arrow + " ")
        yield from page.wrapped(Text(row.after), indent=arrow.cell_len, first=arrow)
    yield from _below(page, row.remark, _INDENT + 2, "kata.remark")


def _below(page: Page, text: str, indent: int, style: str) -> Iterator[Text]:
    if text:
        yield from page.wrapped(Text(text, style), indent=indent)
