"""What an exercise is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from grader.errors import GraderFault

T = TypeVar("T")

LEVELS = (1, 2, 3)
_DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Exercise:
    """One question on paper. All text is ours: letters, words and code made from a seed."""

    kind: str
    level: int  # 1 to 3
    ask: str
    given: tuple[str, ...]  # lines shown as they are: words, merges, code, a text
    answer: Any  # what the reader of `form` gives for a right answer
    form: str  # how an answer is written: a key of `answers.FORMS`
    shown: str  # the right answer as a person would write it
    why: tuple[str, ...]  # the way to it, sentence by sentence or step by step
    spells: str = ""  # what the parts of an answer must spell together, where they must


def draw(chance: Random, make: Callable[[Random], T], wanted: Callable[[T], bool]) -> T:
    """Draw until one is as wanted; raises `GraderFault` when none is."""
    for _ in range(_DRAWS):
        found = make(chance)
        if wanted(found):
            return found
    raise GraderFault("No exercise of this kind could be made; try another --seed.")
