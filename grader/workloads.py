"""What a timing runs: calls made from a corpus, one function per kata.

A workload hands out slots: lists of calls on neighbouring parts of the corpus, so that no
two slots have the same input. A kata that is not listed here defines `workload(corpus)` in
its hidden suite.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from grader import catalog
from grader.corpus import (
    SAMPLE_BYTES,
    Corpus,
    documents,
    megabytes,
    sample,
    word_table,
)
from grader.errors import UsageError
from grader.model import Call, Kata
from grader.slots import Axis, Workload
from grader.training import train_byte_bpe

T = TypeVar("T")
Pair = tuple[str, str]

TABLE = 500  # words of a `pair_counts` call
RUN = 2_000  # symbols of a `merge_pair` call
TRAIN_WORDS, TRAIN_MERGES = 400, 40
ENCODE_WORDS, ENCODE_MERGES = 24, 256
UPDATE_WORDS, UPDATE_MERGES = 600, 60
TRAINED_ON = 1_500  # words, for the merges that `encode_bpe` and `merge_and_update` are given
_LEAST_WORDS = 50


def find(kata: Kata) -> Callable[[Corpus], Workload] | None:
    """What makes the workload of a kata; None when nothing does."""
    own = {function.__name__: function for function in _OWN}
    return own.get(kata.name) or _of_suite(kata)


def _of_suite(kata: Kata) -> Callable[[Corpus], Workload] | None:
    if "def workload(" not in kata.suite.read_text(encoding="utf-8"):
        return None
    folder = str(catalog.places().suites)
    sys.path.insert(0, folder)  # a suite imports `strategies`
    try:
        suite = catalog.load_module(kata.suite, f"_suite_{kata.name}")
    finally:
        sys.path.remove(folder)
    build: Callable[[Corpus], Workload] = suite.workload
    return build


def pair_counts(corpus: Corpus) -> Workload:
    """Every distinct pre-token with its count, as tables of words of single characters."""
    words = _words(corpus)
    entries = [(tuple(word), count) for word, count in words]

    def table(size: int, k: int) -> list[Call]:
        return [Call("pair_counts", (dict(_window(entries, k, size)),))]

    axis = Axis("words in the table", 500, len(words), table)
    return _short(corpus, words, TABLE, partial(table, TABLE), f"in tables of {TABLE}", (axis,))


def merge_pair(corpus: Corpus) -> Workload:
    """The running text, cut into tuples of characters, each with its most frequent pair."""
    text = "\n".join(documents(sample(corpus)))
    if len(text) < RUN:
        raise _too_short(corpus, len(text), "characters", RUN)

    def run(size: int, k: int) -> list[Call]:
        symbols = tuple(_window(text, k, size))
        (pair, _), *_ = Counter(pairwise(symbols)).most_common(1)
        return [Call("merge_pair", (symbols, pair))]

    return Workload(
        corpus.name,
        -(-len(text) // RUN),
        _slots(partial(run, RUN)),
        lambda size: f"{_part(corpus)}, {RUN:,} symbols a call, with their most frequent pair",
        axes=(Axis("symbols in the word", RUN, len(text), run),),
    )


def train_bpe(corpus: Corpus) -> Workload:
    """Word tables of some hundred pre-tokens, a few dozen merges each."""
    words = _words(corpus)

    def train(size: int, merges: int, k: int) -> list[Call]:
        return [Call("train_bpe", (dict(_window(words, k, size)), merges))]

    axes = (
        Axis("words in the table", 200, len(words), lambda n, k: train(n, TRAIN_MERGES, k)),
        Axis("merges to learn", 20, 320, lambda n, k: train(TRAIN_WORDS, n, k)),
    )
    unit = partial(train, TRAIN_WORDS, TRAIN_MERGES)
    how = f"{TRAIN_MERGES} merges of {TRAIN_WORDS} at a time"
    return _short(corpus, words, TRAIN_WORDS, unit, how, axes)


def encode_bpe(corpus: Corpus) -> Workload:
    """Distinct pre-tokens, encoded with merges trained on the most frequent ones."""
    words = _words(corpus)
    merges = _trained_merges(words, ENCODE_MERGES)

    def unit(k: int) -> list[Call]:
        return [Call("encode_bpe", (word, merges)) for word, _ in _window(words, k, ENCODE_WORDS)]

    letters = "".join(filter(str.isalpha, sample(corpus)))

    def long_word(size: int, k: int) -> list[Call]:
        return [Call("encode_bpe", ("".join(_window(letters, k, size)), merges))]

    axis = Axis("letters in the word", 100, len(letters), long_word)
    return _short(corpus, words, ENCODE_WORDS, unit, f"each with {len(merges)} merges", (axis,))


def merge_and_update(corpus: Corpus) -> Workload:
    """The inner loop of a training run: merge after merge in the same state."""
    words = _words(corpus)
    merges = _trained_merges(words, UPDATE_MERGES)

    def updates(size: int, k: int) -> list[Call]:
        state = state_of(dict(_window(words, k, size)))
        return [Call("merge_and_update", (*state, pair)) for pair in merges]

    axis = Axis("words in the state", 200, len(words), updates)
    unit = partial(updates, UPDATE_WORDS)
    how = f"{len(merges)} merges in a state of {UPDATE_WORDS}"
    return _short(corpus, words, UPDATE_WORDS, unit, how, (axis,), repeatable=False)


_OWN = (pair_counts, merge_pair, train_bpe, encode_bpe, merge_and_update, train_byte_bpe)


def _short(
    corpus: Corpus,
    words: Sequence[tuple[str, int]],
    per_unit: int,
    unit: Callable[[int], list[Call]],
    how: str,
    axes: tuple[Axis, ...],
    repeatable: bool = True,
) -> Workload:
    units = -(-len(words) // per_unit)
    text = f"{_part(corpus)}, {len(words):,} distinct pre-tokens, {how}"
    return Workload(
        corpus.name, units, _slots(unit), lambda size: text, repeatable=repeatable, axes=axes
    )


def _slots(unit: Callable[[int], list[Call]]) -> Callable[[int, int], list[Call]]:
    return lambda start, size: [call for k in range(start, start + size) for call in unit(k)]


def _window(items: Sequence[T], k: int, width: int) -> list[T]:
    """The k-th window of the items; after the last it goes round, with other borders."""
    start = k * width % len(items)
    row = list(items[start : start + width])
    return row + list(items[: max(0, min(width, len(items)) - len(row))])


def _words(corpus: Corpus) -> list[tuple[str, int]]:
    """The distinct pre-tokens in an order that mixes frequent and rare ones."""
    words = list(word_table(sample(corpus)).items())
    if len(words) < _LEAST_WORDS:
        raise _too_short(corpus, len(words), "distinct pre-tokens", _LEAST_WORDS)
    random.Random(0).shuffle(words)
    return words


def _too_short(corpus: Corpus, has: int, what: str, least: int) -> UsageError:
    return UsageError(
        f"{corpus.path or corpus.name} is too short to time on: "
        f"it has {has:,} {what}, {least:,} are needed."
    )


def _part(corpus: Corpus) -> str:
    """How much of the corpus the sample is."""
    whole = megabytes(corpus.size)
    return whole if corpus.size <= SAMPLE_BYTES else f"{megabytes(SAMPLE_BYTES)} of {whole}"


def _trained_merges(words: Sequence[tuple[str, int]], number: int) -> list[Pair]:
    """Merges of the reference trainer on the most frequent words."""
    frequent = sorted(words, key=lambda item: (-item[1], item[0]))[:TRAINED_ON]
    train = catalog.reference_module(catalog.find("train_bpe")).train_bpe
    merges: list[Pair] = train(dict(frequent), number)
    return merges


def state_of(chosen: dict[str, int]) -> tuple[Any, ...]:
    """`words, counts, stats, where` of a word table, as `merge_and_update` takes them."""
    words = [list(word) for word in chosen]
    counts = list(chosen.values())
    stats: dict[Pair, int] = defaultdict(int)
    where: dict[Pair, set[int]] = defaultdict(set)
    for i, (symbols, count) in enumerate(zip(words, counts, strict=True)):
        for pair in pairwise(symbols):
            stats[pair] += count
            where[pair].add(i)
    return words, counts, dict(stats), dict(where)
