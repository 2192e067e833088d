"""The merges of a training or an encoding one by one, with everything there was to choose from.

Everything is counted again in each round: this is for reading, not for speed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Symbol = str | bytes
Pair = tuple[Symbol, Symbol]


@dataclass(frozen=True, slots=True)
class Word:
    """The symbols of a word and how often it occurs; `made` are those a merge has just made."""

    symbols: tuple[Symbol, ...]
    count: int = 1
    made: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One merge: the pair, what else there was, best first, and the words around it.

    The number of a candidate is its count in training, its rank in encoding.
    """

    number: int  # from 1
    encoding: bool
    pair: Pair
    candidates: tuple[tuple[Pair, int], ...]
    before: tuple[Word, ...]
    after: tuple[Word, ...]

    @property
    def tied(self) -> tuple[Pair, ...]:
        """The pairs that share the best count, the chosen one first."""
        best = self.candidates[0][1]
        return tuple(pair for pair, number in self.candidates if number == best)


def training(words: Sequence[Word], limit: int, *, greatest: bool = False) -> Iterator[Round]:
    """The rounds of a training: the highest count, and among equals the smallest pair.

    With `greatest` the greatest of them.
    """
    for number in range(1, limit + 1):
        candidates = ranked(counts(words), greatest=greatest)
        if not candidates:
            return
        pair = candidates[0][0]
        after = tuple(merged(word, pair) for word in words)
        yield Round(number, False, pair, candidates, tuple(words), after)
        words = after


def encoding(word: str, merges: Sequence[Pair]) -> Iterator[Round]:
    """The rounds of an encoding: the lowest rank that occurs, at all its places."""
    ranks: Mapping[Pair, int] = {pair: rank for rank, pair in enumerate(merges)}
    now = Word(tuple(word))
    number = 0
    while True:
        number += 1
        known = {pair: ranks[pair] for pair in pairwise(now.symbols) if pair in ranks}
        if not known:
            return
        candidates = tuple(sorted(known.items(), key=lambda item: item[1]))
        after = merged(now, candidates[0][0])
        yield Round(number, True, candidates[0][0], candidates, (now,), (after,))
        now = after


def given(words: Sequence[Word], pair: Pair) -> Round:
    """The round in which this pair is merged, whatever else there is."""
    found = counts(words)
    rest = ranked(Counter({p: n for p, n in found.items() if p != pair}), greatest=False)
    after = tuple(merged(word, pair) for word in words)
    return Round(1, False, pair, ((pair, found[pair]), *rest), tuple(words), after)


def counts(words: Sequence[Word]) -> Counter[Pair]:
    """The weighted count of every pair, overlaps included."""
    found: Counter[Pair] = Counter()
    for word in words:
        for pair in pairwise(word.symbols):
            found[pair] += word.count
    return found


def ranked(found: Mapping[Pair, int], *, greatest: bool) -> tuple[tuple[Pair, int], ...]:
    """Candidates with the best first: by count, then by the tie rule."""
    order = sorted(found.items(), key=lambda item: item[0], reverse=greatest)
    return tuple(sorted(order, key=lambda item: -item[1]))


def merged(word: Word, pair: Pair) -> Word:
    """The word with every occurrence of the pair merged, from left to right."""
    symbols: list[Symbol] = []
    made = []
    at = 0
    while at < len(word.symbols):
        if word.symbols[at : at + 2] == pair:
            made.append(len(symbols))
            symbols.append(pair[0] + pair[1])  # type: ignore[operator]
            at += 2
        else:
            symbols.append(word.symbols[at])
            at += 1
    return Word(tuple(symbols), word.count, tuple(made))
