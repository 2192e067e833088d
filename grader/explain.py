"""What the explanations of the suites share: symbols and pairs as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

#: Head, what happens, remark: one line of an explanation.
Row = tuple[str, str, str]

#: Stands for rows that are left out.
LEFT_OUT: Row = ("…", "", "")


def shown(symbol: str | bytes) -> str:
    """A symbol without quotes: a space as ␣, what cannot be seen as in `repr`.

    Bytes are shown as text where they are ASCII, else as in `repr`: `th`, `b'\\xe4'`.
    """
    if isinstance(symbol, bytes) and symbol.isascii():
        symbol = symbol.decode("ascii")
    if isinstance(symbol, bytes) or not symbol:
        return repr(symbol)
    return repr(symbol)[1:-1].replace(" ", "␣")


def spelled(symbols: Sequence[str] | Sequence[bytes], *, at: int = 0, room: int = 30) -> str:
    """Symbols side by side; of a long sequence about `room` of them around index `at`."""
    start = max(0, min(at - room // 2, len(symbols) - room))
    parts = [shown(symbol) for symbol in symbols[start : start + room]]
    before = ["…"] if start else []
    behind = ["…"] if start + room < len(symbols) else []
    return " ".join([*before, *parts, *behind])


def paired(pair: Iterable[str] | Iterable[bytes]) -> str:
    """`(e, a)`."""
    return f"({', '.join(map(shown, pair))})"


def counted(number: int, noun: str) -> str:
    """`1 place`, `2 places`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


TIMES = {1: "once", 2: "twice"}


def held(symbols: Sequence[Any], pairs: Iterable[Any]) -> str:
    """`holds (e, a) once, (a, t) twice`, of the pairs these symbols hold; or nothing."""
    found = list(pairwise(symbols))
    places = [(paired(pair), found.count(pair)) for pair in pairs if pair in found]
    told = [f"{pair} {TIMES.get(n, f'{n} times')}" for pair, n in places]
    return f"holds {', '.join(told)}" if told else ""


def first_difference(yours: Sequence[Any], due: Sequence[Any]) -> int | None:
    """The index of the first entry that differs, or that one of the two lacks; or None."""
    for at, (mine, right) in enumerate(zip(yours, due, strict=False)):
        if mine != right:
            return at
    return None if len(yours) == len(due) else min(len(yours), len(due))
