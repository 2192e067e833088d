"""The exercise on paper: you name the next merge, and are told what is wrong with it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grader.tracer import Pair, Round, Symbol

TRIES = 3


class Unread(Exception):
    """An answer that is no pair; the sentence says how to write one."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many merges were asked for, and how many were right at once."""

    asked: int
    at_once: int


def play(
    rounds: Iterable[Round],
    ask: Callable[[Round], str | None],
    tell: Callable[[str], None],
    show: Callable[[Round], None],
    *,
    greatest: bool = False,
) -> Score:
    """Ask for the merge of each round until `ask` gives None or the rounds end.

    A wrong answer gets a reason and another try; after three, or `?`, the round is shown.
    """
    asked = at_once = 0
    for turn in rounds:
        wrong = 0
        while wrong < TRIES:
            answer = ask(turn)
            if answer is None:
                return Score(asked, at_once)
            if answer.strip() == "?":
                wrong = TRIES
                break
            try:
                problem = reason(turn, read(turn, answer), greatest=greatest)
            except Unread as error:
                tell(str(error))
                continue
            if problem is None:
                break
            wrong += 1
            tell(problem)
        asked += 1
        at_once += wrong == 0
        show(turn)
    return Score(asked, at_once)


def read(turn: Round, answer: str) -> Pair:
    """The pair an answer means: `e a`, `e, a`, `('e', 'a')`, or `ea` where that is clear."""
    kind: type[Symbol] = bytes if isinstance(turn.pair[0], bytes) else str
    text = answer.strip()
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(s, kind) for s in value):
        return value
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    parts = [part for part in text.replace(",", " ").split() if part]
    if len(parts) == 2:
        return _symbol(parts[0], kind), _symbol(parts[1], kind)
    if len(parts) == 1:
        whole = _symbol(parts[0], kind)
        fits = [pair for pair, _ in turn.candidates if pair[0] + pair[1] == whole]  # type: ignore[operator]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise Unread("More than one pair makes that; write its two symbols with a space.")
    raise Unread("Write the two symbols with a space between them, or as ('e', 'a'); ? shows it.")


def reason(turn: Round, pair: Pair, *, greatest: bool = False) -> str | None:
    """What speaks against merging this pair now, without naming the right one; None if nothing."""
    if pair == turn.pair:
        return None
    numbers = dict(turn.candidates)
    if turn.encoding:
        if pair not in numbers:
            return "That is no merge of the table that occurs here."
        return f"That one has rank {numbers[pair]}; a lower rank occurs."
    if pair not in numbers:
        return "That pair does not occur."
    if numbers[pair] == numbers[turn.pair]:
        rule = "greatest" if greatest else "smallest"
        return f"Its count, {numbers[pair]}, is the highest, but it is a tie: the {rule} pair goes."
    return f"That pair occurs {_times(numbers[pair])}; another one occurs more often."


def _symbol(text: str, kind: type[Symbol]) -> Symbol:
    plain = text.replace("␣", " ")
    return plain.encode() if kind is bytes else plain


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
