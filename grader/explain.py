"""What the explanations of the suites share: symbols and pairs as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: Head, what happens, remark: one line of an explanation.
Row = tuple[str, str, str]

#: Stands for rows that are left out.
LEFT_OUT: Row = ("…", "", "")


def shown(symbol: str | bytes) -> str:
    """A symbol without quotes: a space as ␣, what cannot be seen as in `repr`. Bytes are `repr`."""
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
