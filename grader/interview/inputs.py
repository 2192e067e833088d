"""What the follow-ups run: small inputs full of ties and runs, growing ones, and a whole text."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from grader import catalog, corpus
from grader.model import Kata
from grader.workloads import state_of

Args = tuple[Any, ...]


class Unknown(Exception):
    """A card names something that does not exist; the text says what does, after a semicolon."""


SMALL = 60  # inputs of a variant
WHOLE_MERGES, WHOLE_VOCAB = 500, 2000


def small(kata: Kata, seed: int) -> list[Args] | None:
    """Arguments on which two rules that differ do differ; None for a kata without any here."""
    make = _SMALL.get(kata.name)
    if make is None:
        return None
    chance = Random(f"{kata.name} {seed}")
    return [make(chance) for _ in range(SMALL)]


def growing(kata: Kata, name: str) -> Callable[[int], Args]:
    """Arguments of the size that is asked for; raises `Unknown`."""
    known = _GROWING.get(kata.name, {})
    if name not in known:
        raise Unknown(f"the kinds of growing input are {', '.join(known) or 'none'}.")
    return known[name]


def whole(kata: Kata) -> tuple[Args, str]:
    """One call on all of the embedded text, and what it is in words.

    Raises `Unknown`.
    """
    if kata.name not in _WHOLE:
        raise Unknown(f"only {', '.join(_WHOLE)} have an input of the whole text.")
    return _WHOLE[kata.name]()


def _word(chance: Random, letters: str = "ab", longest: int = 7) -> str:
    return "".join(chance.choices(letters, k=chance.randint(1, longest)))


def _table(chance: Random, letters: str = "abc") -> dict[str, int]:
    return {_word(chance, letters): chance.randint(1, 3) for _ in range(chance.randint(1, 4))}


def _pair_counts(chance: Random) -> Args:
    return ({tuple(word): count for word, count in _table(chance, "ab").items()},)


def _merge_pair(chance: Random) -> Args:
    return tuple(_word(chance, longest=9)), (chance.choice("aab"), chance.choice("ab"))


def _train_bpe(chance: Random) -> Args:
    return _table(chance), chance.randint(1, 12)


def _encode_bpe(chance: Random) -> Args:
    train = catalog.reference_module(catalog.find("train_bpe")).train_bpe
    return _word(chance, longest=10), train(_table(chance, "ab"), chance.randint(1, 6))


def _merge_and_update(chance: Random) -> Args:
    table = _table(chance, "ab") | {"a" * chance.randint(2, 6): 2}
    state = state_of(table)
    return (*state, chance.choice([("a", "a"), *state[2]]))


def _train_byte_bpe(chance: Random) -> Args:
    text = " ".join(_word(chance, "abé") for _ in range(chance.randint(1, 8)))
    return f"{text}<s>{text[:2]}".encode(), 257 + chance.randint(1, 12), ["<s>"]


_SMALL: dict[str, Callable[[Random], Args]] = {
    "pair_counts": _pair_counts,
    "merge_pair": _merge_pair,
    "train_bpe": _train_bpe,
    "encode_bpe": _encode_bpe,
    "merge_and_update": _merge_and_update,
    "train_byte_bpe": _train_byte_bpe,
}


def _long_table(size: int) -> Args:
    return ({tuple(Random(size).choices("abc", k=size)): 3},)


def _long_run(size: int) -> Args:
    return ("a",) * size, ("a", "a")


def _long_state(size: int) -> Args:
    return (*state_of({"ab" * (size // 2): 2}), ("a", "b"))


_GROWING: dict[str, dict[str, Callable[[int], Args]]] = {
    "pair_counts": {"long_word": _long_table},
    "merge_pair": {"run": _long_run},
    "merge_and_update": {"long_word": _long_state},
}


def _whole_table() -> tuple[Args, str]:
    words = dict(corpus.word_table(corpus.embedded().decode("utf-8", "ignore")))
    return (words, WHOLE_MERGES), f"{len(words):,} distinct pre-tokens and {WHOLE_MERGES} merges"


def _whole_text() -> tuple[Args, str]:
    data = corpus.embedded()
    text = f"{corpus.megabytes(len(data))} and a vocab of {WHOLE_VOCAB:,}"
    return (data, WHOLE_VOCAB, [corpus.SPECIAL]), text


_WHOLE = {"train_bpe": _whole_table, "train_byte_bpe": _whole_text}
