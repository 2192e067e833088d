"""Exercises on merges: the next one, a tie, a word cut by ranks, tokens after some merges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from grader import tracer
from grader.drills.exercise import Exercise, draw
from grader.explain import counted, paired, spelled
from grader.tracer import Pair, Round, Word

_SMALLEST = "Among equal counts the smallest pair goes first, in Python's order of tuples."
_GREATEST = "Among equal counts the greatest pair goes first, in Python's order of tuples."
_FORMS = {1: ("abcd", 2, 4), 2: ("abc", 3, 5), 3: ("ab", 3, 6)}  # letters, words, longest word


def next_merge(chance: Random, level: int) -> Exercise:
    """Which pair is merged next, and its count."""
    start = {1: (0, 0), 2: (1, 2), 3: (1, 4)}[level]

    def wanted(found: Round | None) -> bool:
        return found is not None and len(found.candidates) > level and _tie_fits(found, level)

    turn = draw(chance, lambda chance: _round(chance, level, *start), wanted)
    assert turn is not None
    count = turn.candidates[0][1]
    why = [f"The counts, best first: {_counts(turn.candidates)}."]
    if len(turn.tied) > 1:
        why.append(f"{counted(len(turn.tied), 'pair')} share the highest count. {_SMALLEST}")
    return Exercise(
        kind="merge",
        level=level,
        ask=f"Which pair is merged next, and how often does it occur? {_SMALLEST}",
        given=_rows(turn.before),
        answer=(turn.pair, count),
        form="counted pair",
        shown=f"{_pair(turn.pair)} {count}",
        why=tuple(why),
    )


def tie(chance: Random, level: int) -> Exercise:
    """Which of several equally frequent pairs goes first."""
    greatest = level > 1 and chance.random() < 0.5

    def wanted(found: Round | None) -> bool:
        return found is not None and len(found.tied) > min(level, 2)

    turn = draw(
        chance, lambda chance: _round(chance, level, level - 1, 4, greatest=greatest), wanted
    )
    assert turn is not None
    pairs = list(turn.tied)
    chance.shuffle(pairs)
    rule = _GREATEST if greatest else _SMALLEST
    first = sorted(turn.tied)[-1 if greatest else 0]
    return Exercise(
        kind="tie",
        level=level,
        ask=f"These pairs all have the highest count, {turn.candidates[0][1]}. Which is merged? "
        + rule,
        given=tuple(map(_paired, pairs)),
        answer=first,
        form="pair",
        shown=_pair(first),
        why=(
            f"In order: {', '.join(map(_paired, sorted(turn.tied)))}.",
            "The left symbols are compared first, the right ones only if those are equal; "
            "a symbol goes before every longer one that begins with it.",
        ),
    )


def segment(chance: Random, level: int) -> Exercise:
    """How a word is cut by a list of merges."""
    letters, _, longest = _FORMS[level]
    merges_wanted, steps = {1: (2, 1), 2: (4, 2), 3: (6, 3)}[level]

    def make(chance: Random) -> tuple[str, list[Pair], list[Round]]:
        turns = list(tracer.training(_table(chance, level), merges_wanted))
        word = "".join(chance.choices(letters, k=chance.randint(longest - 1, longest + 2)))
        merges = [turn.pair for turn in turns]
        return word, merges, list(tracer.encoding(word, merges))

    def wanted(found: tuple[str, list[Pair], list[Round]]) -> bool:
        word, merges, turns = found
        if len(merges) < merges_wanted or len(turns) < steps:
            return False
        return level == 1 or _longest_match(word, merges) != turns[-1].after[0].symbols

    word, merges, turns = draw(chance, make, wanted)
    symbols = turns[-1].after[0].symbols
    steps_shown = (
        f"rank {turn.candidates[0][1]} {_paired(turn.pair)}: {_plain(turn.after[0].symbols)}"
        for turn in turns
    )
    return Exercise(
        kind="segment",
        level=level,
        ask=f"Encode the word {word} with these merges; the lowest rank goes first.",
        given=tuple(f"{rank}  {_paired(pair)}" for rank, pair in enumerate(merges)),
        answer=symbols,
        form="symbols",
        shown=_plain(symbols),
        why=(*steps_shown, "No pair of neighbours is a merge any more."),
        spells=word,
    )


def tokens(chance: Random, level: int) -> Exercise:
    """How many tokens a table of words has after some merges."""
    merges = {1: 1, 2: 2, 3: 4}[level]

    def make(chance: Random) -> list[Round]:
        return list(tracer.training(_table(chance, level), merges))

    def wanted(turns: list[Round]) -> bool:
        return len(turns) == merges and all(_tie_fits(turn, level) for turn in turns)

    turns = draw(chance, make, wanted)
    before, after = turns[0].before, turns[-1].after
    number = sum(len(word.symbols) * word.count for word in after)
    rule = f" {_SMALLEST}" if any(len(turn.tied) > 1 for turn in turns) else ""
    sums = " + ".join(f"{len(word.symbols)} × {word.count}" for word in after)
    steps = (
        f"merge {turn.number}, {_paired(turn.pair)}: {', '.join(_rows(turn.after))}"
        for turn in turns
    )
    return Exercise(
        kind="tokens",
        level=level,
        ask=f"How many tokens is this text after {counted(merges, 'merge')}? Each word counts as "
        f"often as it occurs.{rule}",
        given=_rows(before),
        answer=number,
        form="number",
        shown=str(number),
        why=(*steps, f"{sums} = {number}"),
    )


# --- what they share ------------------------------------------------------------------


def _table(chance: Random, level: int) -> list[Word]:
    letters, most, longest = _FORMS[level]
    table: dict[str, int] = {}
    for _ in range(chance.randint(max(1, most - 1), most)):
        word = "".join(chance.choices(letters, k=chance.randint(2, longest)))
        table[word] = chance.randint(1, 5)
    return [Word(tuple(word), count) for word, count in table.items()]


def _round(
    chance: Random, level: int, earliest: int, latest: int, *, greatest: bool = False
) -> Round | None:
    """One round of a random training, if it lasts that long."""
    at = chance.randint(earliest, latest)
    turns = list(tracer.training(_table(chance, level), at + 1, greatest=greatest))
    return turns[at] if len(turns) > at else None


def _tie_fits(turn: Round, level: int) -> bool:
    """Ties are for the last level."""
    return level == max(_FORMS) or len(turn.tied) == 1


def _longest_match(word: str, merges: Sequence[Pair]) -> tuple[str, ...]:
    """What taking the longest known symbol from the left gives: the usual mistake."""
    known = {str(left) + str(right) for left, right in merges}
    symbols, at = [], 0
    while at < len(word):
        ends = range(len(word), at + 1, -1)
        end = next((end for end in ends if word[at:end] in known), at + 1)
        symbols.append(word[at:end])
        at = end
    return tuple(symbols)


def _rows(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(f"{_plain(replace(word, made=()).symbols)} × {word.count}" for word in words)


def _counts(candidates: Sequence[tuple[Pair, int]]) -> str:
    shown = ", ".join(f"{_paired(pair)} {count}" for pair, count in candidates[:6])
    return shown + (", …" if len(candidates) > 6 else "")


def _plain(symbols: Sequence[tracer.Symbol]) -> str:
    return spelled([str(symbol) for symbol in symbols])


def _paired(pair: Pair) -> str:
    return paired(str(symbol) for symbol in pair)


def _pair(pair: Pair) -> str:
    return " ".join(map(str, pair))
