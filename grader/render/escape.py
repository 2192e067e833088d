"""The one place where untrusted text becomes safe to show.

A student's prints, names, paths and exception messages can carry terminal escapes,
characters that reorder or hide text, and lines a CI runner would obey. Everything that
is not plainly visible is written as the escape Python's `repr` would use, so a value
can still be pasted. Nothing is ever read as markup: views put the result into `Text`.
"""

from __future__ import annotations

import re
import unicodedata

#: Printable by Unicode's book, and yet blank on the screen.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u180b\u180c\u180d\u180e\u180f")
#: `::error …` at the start of a word, `##[…]` and `##name[…]` anywhere: commands to CI runners.
_CI_COMMAND = re.compile(r"(?<!\S)::(?=[A-Za-z])|##(?=[\w.]*\[)")
_CI_ESCAPES = {"::": r"\x3a:", "##": r"\x23#"}
#: More marks than this on one letter are decoration that spills over other lines.
_MARKS = 2

_TYPOGRAPHY = str.maketrans(
    {
        "…": "...",
        "–": "-",
        "—": "-",
        "−": "-",
        "·": "-",
        "•": "-",
        "→": "->",
        "←": "<-",
        "↑": "^",
        "×": "x",
        "±": "+/-",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
    }
)


def visible(text: str, *, ascii_only: bool = False) -> str:
    """One line of `text` with everything invisible escaped; exact, so a literal stays one.

    `ascii_only` escapes whatever is not ASCII as well.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(_shown(text, ascii_only))
    return _CI_COMMAND.sub(lambda match: _CI_ESCAPES[match[0]], text)


def readable(text: str, *, ascii_only: bool = False) -> str:
    """Prose on one line: like `visible`, but typography has an ASCII stand-in."""
    return visible(text.translate(_TYPOGRAPHY) if ascii_only else text, ascii_only=ascii_only)


def visible_lines(text: str, *, ascii_only: bool = False) -> list[str]:
    """The lines of a print, each `visible`; tabs become spaces, `\\r\\n` ends a line too."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [visible(line.expandtabs(4), ascii_only=ascii_only) for line in lines]


def encodable(text: str) -> str:
    """`text` without lone surrogates, which no file or JSON reader wants."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _shown(text: str, ascii_only: bool) -> list[str]:
    shown, marks, based = [], 0, False
    for char in text:
        mark = unicodedata.category(char) in ("Mn", "Me")
        marks = marks + 1 if mark else 0
        stray = mark and (not based or marks > _MARKS)
        foreign = ascii_only and not char.isascii()
        shown.append(_escaped(char) if stray or foreign or _hidden(char) else char)
        based = mark or char.isalnum()
    return shown


def _hidden(char: str) -> bool:
    return not char.isprintable() or char in _BLANKS or "\ufe00" <= char <= "\ufe0f"


def _escaped(char: str) -> str:
    named = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(char)
    if named:
        return named
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
