"""What people type as an answer, read forgivingly."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from grader.byhand import Unread
from grader.drills.exercise import Exercise

#: Longer lines are no answers.
_LONGEST = 200
_ORDERS = ("1", "logn", "n", "nlogn", "n^2", "n^2logn", "n^3", "n*m", "m", "n+m", "m^2", "2^n")
_ORDER_NAMES = {
    "constant": "1",
    "logarithmic": "logn",
    "linear": "n",
    "linearithmic": "nlogn",
    "quadratic": "n^2",
    "cubic": "n^3",
    "exponential": "2^n",
}


def is_right(exercise: Exercise, text: str) -> bool:
    """Whether a line is the answer. Raises `Unread`, with how to write one, if it is none."""
    read, _ = FORMS[exercise.form]
    text = text.strip("\r\n").replace("\t", " ")
    if len(text) > _LONGEST or not text.isprintable():
        raise Unread(how(exercise))
    return bool(read(exercise, text) == exercise.answer)


def how(exercise: Exercise) -> str:
    """How an answer to it is written, as a sentence."""
    return FORMS[exercise.form][1]


def _number(exercise: Exercise, text: str) -> int:
    plain = re.sub(r"(?<=\d)[ ,_'](?=\d{3}\b)", "", text.strip())
    found = re.fullmatch(r"[^\d-]*(\d{1,15})[^\d]*", plain)
    if not found:
        raise Unread(how(exercise))
    return int(found[1])


def _pair(exercise: Exercise, text: str) -> tuple[str, str]:
    symbols = re.findall(r"[a-z]+", text.lower())
    if len(symbols) != 2 or re.search(r"\d", text):
        raise Unread(how(exercise))
    return symbols[0], symbols[1]


def _counted_pair(exercise: Exercise, text: str) -> tuple[tuple[str, str], int]:
    # `e a 20`, `(e, a) 20`, `e a ×20`, `e a x20`, `('e', 'a'): 20`
    found = re.fullmatch(r"(.*?)[\s,:=×x]*(?<!\d)(\d{1,15})\D*", text.strip().lower())
    if not found:
        raise Unread(how(exercise))
    return _pair(exercise, found[1]), int(found[2])


def _symbols(exercise: Exercise, text: str) -> tuple[str, ...]:
    symbols = tuple(re.findall(r"[a-z]+", text.lower()))
    if not symbols:
        raise Unread(how(exercise))
    if "".join(symbols) != exercise.spells:
        raise Unread(f"That spells {''.join(symbols)}, not {exercise.spells}.")
    return symbols


def _bytes(exercise: Exercise, text: str) -> bytes:
    plain = text.strip().lower()
    if plain.startswith(("b'", 'b"')):
        try:
            value = ast.literal_eval(plain)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise Unread(how(exercise)) from None
        return bytes(value)
    parts = re.sub(r"0x|\\x", " ", plain).replace(",", " ").split()
    if not parts or not all(re.fullmatch(r"[0-9a-f]+", part) for part in parts):
        raise Unread(how(exercise))
    digits = "".join(part.zfill(2) for part in parts)
    if len(digits) % 2:
        raise Unread(how(exercise))
    return bytes.fromhex(digits)


def _pieces(exercise: Exercise, text: str) -> tuple[str, ...]:
    for spaced in (text.split("|"), [piece.strip() for piece in text.split("|")]):
        for blank in ("␣", "_"):
            pieces = tuple(piece.replace(blank, " ") for piece in spaced)
            if "".join(pieces) == exercise.spells and all(pieces):
                return pieces
    if not text.strip():
        raise Unread(how(exercise))
    raise Unread("These pieces do not spell the text; put | between them and _ for each space.")


def _order(exercise: Exercise, text: str) -> str:
    plain = re.sub(r"\s", "", text.lower())
    if plain in _ORDER_NAMES:
        return _ORDER_NAMES[plain]
    plain = re.sub(r"^[oθ]\((.*)\)$", r"\1", plain)
    for old, new in (("**", "^"), ("²", "^2"), ("³", "^3"), ("·", "*"), ("×", "*")):
        plain = plain.replace(old, new)
    plain = re.sub(r"log_?2?\(?n\)?|lg\(?n\)?|ln\(?n\)?", "logn", plain)
    plain = plain.replace("n*logn", "nlogn").replace("logn*n", "nlogn").replace("n*n", "n^2")
    plain = {"nm": "n*m", "mn": "n*m", "m*n": "n*m", "m+n": "n+m", "lognn": "nlogn"}.get(
        plain, plain
    )
    if plain not in _ORDERS:
        raise Unread(how(exercise))
    return plain


FORMS: dict[str, tuple[Callable[[Exercise, str], Any], str]] = {
    "number": (_number, "Write one number."),
    "pair": (_pair, "Write the two symbols with a space between them."),
    "counted pair": (_counted_pair, "Write the two symbols and the count, like: q r 12."),
    "symbols": (_symbols, "Write the symbols with spaces between them, like: qr s q."),
    "bytes": (_bytes, "Write the bytes in hexadecimal, like: e2 82 ac."),
    "pieces": (_pieces, "Write the pieces with | between them and _ for a space, like: one|_two."),
    "order": (_order, "Write one of 1, log n, n, n log n, n^2, n^3, n m."),
}
