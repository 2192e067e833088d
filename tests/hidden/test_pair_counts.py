"""The suite of `pair_counts`."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given
from strategies import TANGLED_SYMBOLS, symbol_tables

from grader.expect import holds, same
from grader.explain import counted, paired, spelled

#: Ordinary text: accents, curly quotes, digits, doubled letters.
TEXT = """
“Well,” said the naïve waiter, “a café that needs three committees to choose its coffee
will soon need a fourth.” Zoë looked up from page 1,122 of her book. She'd missed the
session — all of it — and the balloon, too: “Isn't that a bit odd?” she asked. “Happens
every summer; we've 33 letters from Düsseldorf, all unanswered…”
"""


@pytest.mark.example
@pytest.mark.parametrize(
    ("words", "totals"),
    [
        (
            {("l", "o", "w"): 5, ("l", "o", "t"): 2},
            {("l", "o"): 7, ("o", "w"): 5, ("o", "t"): 2},
        ),
        ({("a", "a", "a"): 2}, {("a", "a"): 4}),
        (
            {("ab", "c"): 2, ("a", "b", "c"): 3},
            {("ab", "c"): 2, ("a", "b"): 3, ("b", "c"): 3},
        ),
    ],
    ids=["low", "overlap", "symbols"],
)
def test_examples(solution, words, totals):
    """The examples of the statement."""
    same(solution.pair_counts(words), totals)


def test_short_words(solution):
    """A word of fewer than two symbols has no pairs."""
    for words in ({}, {("a",): 3}, {(): 2}, {("ab",): 1, (): 4, ("a",): 2}):
        same(solution.pair_counts(words), {})


@given(tables=symbol_tables(symbols=("a",), max_size=12))
def test_runs(solution, tables):
    """A run of n equal symbols has n - 1 equal pairs."""
    for words in tables:
        total = sum((len(word) - 1) * count for word, count in words.items() if word)
        same(solution.pair_counts(words), {("a", "a"): total} if total else {})


@given(tables=symbol_tables(symbols=("a", "b", "c")))
@example(tables=[{("a", "b"): 1, ("b", "a"): 2}])
@example(tables=[{("a", "b", "a", "b"): 1}])
def test_every_position(solution, reference, tables):
    """Every position adds the count of its word to the pair that stands there."""
    for words in tables:
        same(solution.pair_counts(words), reference.pair_counts(words))


@given(tables=symbol_tables(symbols=TANGLED_SYMBOLS))
@example(tables=[{("ab", "a"): 1, ("a", "ba"): 2}])
def test_whole_symbols(solution, reference, tables):
    """Symbols are compared whole, however they are spelled."""
    for words in tables:
        same(solution.pair_counts(words), reference.pair_counts(words))


@given(tables=symbol_tables(max_size=10))
@example(tables=[{("a",): 1, ("b",): 1}])
def test_words_apart(solution, tables):
    """The pairs of a table are the pairs of its words, each word on its own."""
    for words in tables:
        alone = Counter()
        for word, count in words.items():
            alone.update(solution.pair_counts({word: count}))
        same(solution.pair_counts(words), dict(alone))


@given(tables=symbol_tables())
@example(tables=[{("a", "b"): 1}])
def test_total(solution, tables):
    """The totals are positive and add up to the number of positions."""
    for words in tables:
        yours = solution.pair_counts(words)
        holds(all(total > 0 for total in yours.values()), "a total is not positive", yours)
        positions = sum((len(word) - 1) * count for word, count in words.items() if word)
        holds(sum(yours.values()) == positions, f"the totals must add up to {positions}", yours)


@given(tables=symbol_tables())
def test_order_of_the_table(solution, tables):
    """The order of the words in the table changes nothing."""
    for words in tables:
        forwards = solution.pair_counts(words)
        same(solution.pair_counts(dict(reversed(words.items()))), forwards)


@given(tables=symbol_tables(max_size=12))
@example(tables=[{("a", "b"): 1}])
def test_huge_counts(solution, reference, tables):
    """A word counted 10**15 times takes no longer, and its total is exact."""
    for words in tables:
        huge = {word: count * 10**15 + 1 for word, count in words.items()}
        same(solution.pair_counts(huge), reference.pair_counts(huge))


def test_ordinary_text(solution):
    """In ordinary text a pair counts as often as its two characters stand together."""
    words = {tuple(word): n for word, n in Counter(TEXT.split()).items()}
    together = Counter(TEXT[at : at + 2] for at in range(len(TEXT)))
    expected = {tuple(two): n for two, n in together.items() if len("".join(two.split())) == 2}
    same(solution.pair_counts(words), expected)


# --- diagnosis and explanation --------------------------------------------------------

#: Small tables that tell the known mistakes apart. The last one hangs who loops over counts.
BANK = [
    ({("a", "b"): 1},),
    ({("a", "b"): 5},),
    ({("b", "a"): 2},),
    ({("a", "b"): 2, ("b", "a"): 3},),
    ({("a", "b"): 1, ("a", "b", "c"): 3},),
    ({("b", "c"): 1, ("a", "b", "c"): 1},),
    ({("c", "b", "a"): 2},),
    ({("a", "b", "c", "d"): 2},),
    ({("a", "b", "b"): 4},),
    ({("a", "b", "a"): 2},),
    ({("a", "b", "a", "b"): 1},),
    ({("a", "b", "a", "b"): 3, ("b", "a", "b"): 2},),
    ({("a", "a"): 2},),
    ({("a", "a", "a"): 2},),
    ({("a", "a", "a", "a"): 1},),
    ({("a", "a", "a", "a", "a"): 3},),
    ({("a", "a", "b", "a", "a"): 2},),
    ({("a", "b", "b", "b", "a"): 1, ("b", "b"): 1},),
    ({("ab", "c"): 2},),
    ({("ab", "c"): 2, ("a", "b", "c"): 3},),
    ({("ab", "a"): 1, ("a", "ba"): 2},),
    ({("a", "ba"): 2, ("ab", "a", "ab"): 1},),
    ({("a", "ab", "a"): 2},),
    ({("a",): 2, ("b",): 3},),
    ({("a", "b"): 3, (): 2, ("b",): 1},),
    ({("a", "b"): 10**15 + 1},),
]


def explain(reference, args, result):
    """The first pair whose total is wrong, and the words that hold it."""
    (words,) = args
    expected, yours = reference.pair_counts(words), result.value
    wrong = [pair for pair in expected if yours.get(pair) != expected[pair]]
    wrong += [pair for pair in yours if pair not in expected]
    if not wrong:
        return []
    first, *others = wrong
    held = _holders(words, first) if first in expected else _misread(words, first, expected)
    rows = [_total(first, expected, yours), *held]
    rows += [_total(pair, expected, yours) for pair in others[:2]]
    return [*rows, ("…", f"{len(others) - 2} more", "")] if len(others) > 2 else rows


def _total(pair, expected, yours):
    due = f"{expected[pair]} in all" if pair in expected else "in no word"
    return paired(pair), due, f"you have {yours[pair]}" if pair in yours else "you do not list it"


def _holders(words, pair):
    """The words that hold a pair, the first three of them, and what each adds."""
    rows = []
    for word, count in words.items():
        places = list(pairwise(word)).count(pair)
        if places:
            told = f"{counted(places, 'place')} × count {count}"
            rows.append((spelled(word), told, f"adds {places * count}"))
    return rows if len(rows) <= 4 else [*rows[:3], ("…", counted(len(rows) - 3, "more word"), "")]


def _misread(words, pair, expected):
    """What may have been taken for a pair that stands in no word."""
    left, right = pair
    for before, behind in pairwise(filter(None, words)):
        if (before[-1], behind[0]) == pair:
            return [(f"{spelled(before)} | {spelled(behind)}", "two words", "not neighbours")]
    if (right, left) in expected:
        return [(paired((right, left)), "occurs, and is another pair", "")]
    for other in expected:
        if "".join(other) == left + right:
            return [(paired(other), "occurs, and is another pair", "the same text when joined")]
    return []
