"""What others have published about trainings: digests of merges, and numbers of tokens.

The merges themselves are not here, only their fingerprints: the digest of the whole list and of
some prefixes, and one byte for each merge, by which the place can be found where two lists part.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from grader import library
from grader.tokenizer import Merge


@dataclass(frozen=True, slots=True)
class Merges:
    """The fingerprints of one published list. Digests are by the number of merges they cover."""

    corpus: str
    vocab_size: int
    merges: int
    digests: Mapping[int, str]
    agreeing: int  # independent public repositories that have this very list
    checks: bytes  # see `checks`


@dataclass(frozen=True, slots=True)
class Tokens:
    """How many tokens a text has by merges that were trained on a corpus."""

    text: str
    corpus: str
    vocab_size: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A list of merges beside a published one."""

    published: Merges
    compared: int  # merges that both have
    agreeing: int  # from the first on; the one behind is the first that differs
    digests: Mapping[int, bool]  # of the prefixes that both have: whether they agree

    @property
    def agrees(self) -> bool:
        return self.agreeing == self.compared and all(self.digests.values())


def digest(merges: Sequence[Merge]) -> str:
    """SHA-256 over all merges in order, each side as its length (4 bytes, big-endian) and bytes."""
    running = hashlib.sha256()
    for pair in merges:
        _add(running, pair)
    return running.hexdigest()


def checks(merges: Sequence[Merge]) -> bytes:
    """One byte for each merge: the last of the digest of all merges up to it.

    After two lists have parted, 255 of 256 of their bytes differ.
    """
    return bytes(running.digest()[-1] for running in _running(merges))


def known_merges(corpus: str) -> Merges | None:
    """The published merges of a corpus."""
    return next((each for each in _tables()[0] if each.corpus == corpus), None)


def known_tokens(corpus: str, vocab_size: int) -> tuple[Tokens, ...]:
    """The published numbers of tokens by merges of this corpus and size."""
    return tuple(
        each for each in _tables()[1] if (each.corpus, each.vocab_size) == (corpus, vocab_size)
    )


def corpora() -> Mapping[str, int]:
    """The corpora something is published about, with the vocabulary size it is about."""
    merges, tokens = _tables()
    sizes = {each.corpus: each.vocab_size for each in merges}
    return sizes | {each.corpus: each.vocab_size for each in tokens}


def compare(published: Merges, merges: Sequence[Merge]) -> Comparison:
    """How far the merges are the published ones, as far as both go."""
    compared = min(len(merges), published.merges)
    agreeing, digests = compared, {}
    for number, running in enumerate(_running(merges[:compared]), 1):
        if running.digest()[-1] != published.checks[number - 1]:
            agreeing = min(agreeing, number - 1)
        if number in published.digests:
            digests[number] = running.hexdigest() == published.digests[number]
            if not digests[number]:
                agreeing = min(agreeing, number - 1)
    return Comparison(published, compared, agreeing, digests)


def _running(merges: Sequence[Merge]) -> Iterator[Any]:
    running = hashlib.sha256()
    for pair in merges:
        _add(running, pair)
        yield running


def _add(running: Any, pair: Merge) -> None:
    for side in pair:
        running.update(len(side).to_bytes(4, "big") + side)


@cache
def _tables() -> tuple[tuple[Merges, ...], tuple[Tokens, ...]]:
    data = tomllib.loads((library.FOLDER / "published.toml").read_text(encoding="utf-8"))
    merges = tuple(_merges(table) for table in data["merges"])
    return merges, tuple(Tokens(**table) for table in data["tokens"])


def _merges(table: dict[str, Any]) -> Merges:
    digests = {int(number): text for number, text in table.pop("digests").items()}
    checked = (library.FOLDER / table.pop("checks")).read_bytes()
    return Merges(digests=digests, checks=checked, **table)
