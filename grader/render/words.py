"""Numbers as people read them."""

from __future__ import annotations

import math

from grader.render.theme import Glyphs


def count(number: int, noun: str) -> str:
    """`1,412 inputs`, `1 input`; the noun is given in the singular."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """`0.42 ms`, `412 ms`, `1.3 s`, `42 s`, `3 min 5 s`."""
    if seconds < 0.00995:
        return f"{seconds * 1e3:.2f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1e3:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 119.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def clock(seconds: float) -> str:
    """`31:20`, or `1:31:20`; a second that has begun counts."""
    minutes, rest = divmod(math.ceil(round(seconds, 3)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def ratio(value: float, spread: float | None, glyphs: Glyphs) -> str:
    """`4.2× ± 2 %`; two decimals where the values are close."""
    digits = 2 if value < 1.995 else 1 if value < 99.5 else 0
    text = f"{value:,.{digits}f}{glyphs.times}"
    return text if spread is None else f"{text} {glyphs.spread} {spread * 100:.0f} %"
