"""Python literals on a screen: where two values differ, and calls folded without harm."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

#: Longer literals are compared as they were written, key order and all.
_PARSED = 200_000
_TOKEN = re.compile(
    r"""b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*"|[\w.]+|\s+|.""",
    re.DOTALL,
)
#: A difference this far inside a token is marked itself, not at the token's start.
_INSIDE = 12


@dataclass(frozen=True, slots=True)
class Compared:
    """Two values cut to the same window; `column` is where they first differ, in cells."""

    yours: str
    expected: str
    column: int | None
    cut: bool


def aligned(yours: str, expected: str) -> tuple[str, str]:
    """The same literals with dicts and sets in one order, so that the first difference counts."""
    if len(yours) + len(expected) > _PARSED or not re.search(r"[{]", yours + expected):
        return yours, expected
    try:
        left, right = ast.literal_eval(yours), ast.literal_eval(expected)
        return _literal(left, right), _literal(right, right)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return yours, expected


def first_difference(yours: str, expected: str) -> int | None:
    """Where the first token that differs begins, or None for equal texts."""
    if yours == expected:
        return None
    pairs = zip(yours, expected, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(yours), len(expected)))
    start = _token_start(expected if len(expected) > at else yours, at)
    return start if at - start <= _INSIDE else at


def compared(yours: str, expected: str, width: int, ellipsis: str) -> Compared:
    """Both values in at most `width` cells, the first difference inside the window."""
    at = first_difference(yours, expected)
    whole = max(cell_len(yours), cell_len(expected)) <= width
    start = 0 if whole or at is None else _window_start(expected, at, width)
    lead = ellipsis if start else ""
    return Compared(
        fitted(lead + yours[start:], width, ellipsis),
        fitted(lead + expected[start:], width, ellipsis),
        None if at is None else cell_len(lead + expected[start:at]),
        not whole,
    )


def fitted(text: str, width: int, ellipsis: str) -> str:
    """`text`, or as much of its beginning as fits with an ellipsis behind it."""
    if len(text) <= width and cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    kept = text[: max(room, 0)]
    while kept and cell_len(kept) > room:
        kept = kept[:-1]
    return kept + ellipsis


def folded(source: str, width: int) -> list[str]:
    """A call in lines of at most `width`, broken only behind commas inside brackets.

    Python joins such lines again, so the whole can be pasted. A string longer than the
    width stays in one piece.
    """
    return [line for part in source.splitlines() for line in _folded_line(part, width)]


def _folded_line(source: str, width: int) -> Iterator[str]:
    line = ""
    for piece in _pieces(source, width):
        if line.strip() and cell_len((line + piece).rstrip()) > width:
            yield line.rstrip()
            line = "    "
        line += piece
    if line.strip():
        yield line.rstrip()


def _pieces(source: str, width: int) -> Iterator[str]:
    """The source in parts, each ending where a new line may begin.

    That is behind a comma of a bracket too long for a line; shorter ones stay together.
    """
    tokens = _TOKEN.findall(source)
    lengths = _bracket_lengths(tokens)
    piece, open_at, after_comma = "", [], False
    for number, token in enumerate(tokens):
        if after_comma and token.isspace():
            yield piece + token
            piece, after_comma = "", False
            continue
        piece += token
        if token in "([{":
            open_at.append(number)
        elif token in ")]}" and open_at:
            open_at.pop()
        after_comma = token == "," and bool(open_at) and lengths[open_at[-1]] > width - 8
    yield piece


def _bracket_lengths(tokens: list[str]) -> dict[int, int]:
    """For each opening bracket, by its index, the characters up to its partner."""
    lengths: dict[int, int] = {}
    open_at: list[tuple[int, int]] = []
    offset = 0
    for number, token in enumerate(tokens):
        if token in "([{":
            open_at.append((number, offset))
        elif token in ")]}" and open_at:
            index, start = open_at.pop()
            lengths[index] = offset - start + 1
        offset += len(token)
    return {**{index: offset for index, _ in open_at}, **lengths}


def _literal(value: Any, like: Any) -> str:
    """`repr`, with the keys of `like` first and in its order, and sets sorted."""
    if isinstance(value, dict):
        order = {key: n for n, key in enumerate(like)} if isinstance(like, dict) else {}
        keys = sorted(value, key=lambda key: order.get(key, len(order)))
        items = (f"{key!r}: {_literal(value[key], _at(like, key))}" for key in keys)
        return "{" + ", ".join(items) + "}"
    if isinstance(value, set) and value:
        return "{" + ", ".join(sorted(map(repr, value))) + "}"
    if isinstance(value, (list, tuple)):
        parts = [_literal(part, _at(like, n)) for n, part in enumerate(value)]
        inner = ", ".join(parts) + ("," if isinstance(value, tuple) and len(parts) == 1 else "")
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    return repr(value)


def _at(like: Any, key: Any) -> Any:
    try:
        return like[key]
    except (TypeError, LookupError):
        return None


def _token_start(text: str, at: int) -> int:
    if at > _PARSED:
        return at
    start = 0
    for match in _TOKEN.finditer(text):
        if match.start() > at:
            break
        start = match.start()
    return start


def _window_start(text: str, at: int, width: int) -> int:
    """A little before the difference, behind a comma if one is near."""
    start = max(0, at - width // 3)
    comma = text.find(", ", start, at)
    return comma + 2 if start and comma >= 0 else start
