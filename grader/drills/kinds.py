"""Every kind of exercise by its name, and the one way to make one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from grader.drills import loops, merging, texts
from grader.drills.exercise import LEVELS, Exercise

KINDS: dict[str, Callable[[Random, int], Exercise]] = {
    "merge": merging.next_merge,
    "tie": merging.tie,
    "segment": merging.segment,
    "tokens": merging.tokens,
    "vocab": texts.vocabulary,
    "bytes": texts.utf8,
    "pretokens": texts.pretokens,
    "complexity": loops.complexity,
}


def exercise(kind: str, seed: int, number: int, level: int) -> Exercise:
    """Exercise `number` of a seed: the same arguments give the same exercise."""
    assert level in LEVELS
    return KINDS[kind](Random(f"{seed} {number} {kind} {level}"), level)


def order(seed: int, number: int) -> str:
    """The kind of exercise `number`, from 1, in a mixed drill: each kind once in every round."""
    turn, place = divmod(number - 1, len(KINDS))
    names = list(KINDS)
    Random(f"{seed} kinds {turn}").shuffle(names)
    return names[place]
