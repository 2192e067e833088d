"""The suite of `merge_pair`."""

# The curly quotes are meant. ruff: noqa: RUF001

from itertools import pairwise

import pytest
from hypothesis import example, given
from strategies import TANGLED_SYMBOLS, merge_cases

from grader.expect import holds, same
from grader.explain import LEFT_OUT, paired, shown, spelled

#: Ordinary text; read as one word, its blanks are symbols like any other.
TEXT = """
The théâtre on 4th Street opens at three — or so they’d thought. “The other Thursday,” says
Mother, “nothing happened there: the lights, the curtain, the three-piece band, all of them
late!” Then a cough, a hush, the thin sound of a flute… and that’s that; 7,000 heads, one breath.
"""


@pytest.mark.example
@pytest.mark.parametrize(
    ("symbols", "pair", "merged"),
    [
        (("b", "a", "n", "a", "n", "a"), ("a", "n"), ("b", "an", "an", "a")),
        (("a", "a", "a", "a", "a"), ("a", "a"), ("aa", "aa", "a")),
        (("te", "s", "t"), ("e", "s"), ("te", "s", "t")),
    ],
    ids=["banana", "run", "whole"],
)
def test_examples(solution, symbols, pair, merged):
    """The examples of the statement."""
    same(solution.merge_pair(symbols, pair), merged)


@given(cases=merge_cases(symbols=("a", "b", "ab")))
@example(cases=[((), ("a", "b")), (("a",), ("a", "a")), (("b", "a"), ("a", "b"))])
@example(cases=[(("xa", "b"), ("a", "b")), (("a", "bx"), ("a", "b"))])
@example(cases=[(("a", "bc"), ("ab", "c"))])
def test_no_occurrence(solution, cases):
    """Where the pair does not occur, nothing changes."""
    for symbols, pair in cases:
        absent = (pair[0], "x") if pair in pairwise(symbols) else pair
        same(solution.merge_pair(symbols, absent), symbols)


def test_runs(solution):
    """A run merges two by two from the left; an odd one out stays at the end."""
    for n in range(10):
        same(solution.merge_pair(("a",) * n, ("a", "a")), ("aa",) * (n // 2) + ("a",) * (n % 2))


@given(cases=merge_cases(symbols=TANGLED_SYMBOLS))
@example(cases=[(("a", "b", "a"), ("a", "b")), ((" ", "a", "b"), ("a", "b"))])
def test_same_text(solution, cases):
    """Joined to one text, the symbols read the same as before."""
    for symbols, pair in cases:
        yours = solution.merge_pair(symbols, pair)
        holds("".join(yours) == "".join(symbols), "joined, your symbols read differently", yours)


@given(cases=merge_cases())
@example(cases=[(("a", "b", "b", "a", "b"), ("a", "b"))])
@example(cases=[(("b", "a", "b"), ("a", "b")), (("a", "a", "b"), ("a", "b"))])
def test_every_occurrence(solution, reference, cases):
    """Every occurrence of the pair is merged, from left to right."""
    for symbols, pair in cases:
        same(solution.merge_pair(symbols, pair), reference.merge_pair(symbols, pair))


@given(cases=merge_cases(symbols=TANGLED_SYMBOLS))
@example(cases=[(("ab", "a", "a", "ba"), ("ab", "a")), (("a b", "a", "b"), ("a", "b"))])
@example(cases=[(("ab", "c", "ab", "c"), ("ab", "c"))])
def test_whole_symbols(solution, reference, cases):
    """Symbols match whole, however they are spelled, and spaces are no borders."""
    for symbols, pair in cases:
        same(solution.merge_pair(symbols, pair), reference.merge_pair(symbols, pair))


@given(cases=merge_cases(symbols=("a", "b", "ab")))
def test_once_is_enough(solution, cases):
    """Merging the same pair a second time changes nothing."""
    for symbols, pair in cases:
        once = solution.merge_pair(symbols, pair)
        same(solution.merge_pair(once, pair), once)


@given(cases=merge_cases())
def test_walls(solution, cases):
    """What stands on one side of a foreign symbol has no effect on the other side."""
    for symbols, pair in cases:
        left, right = solution.merge_pair(symbols, pair), solution.merge_pair(symbols[1:], pair)
        whole = solution.merge_pair((*symbols, "x", *symbols[1:]), pair)
        same(whole, (*left, "x", *right))


def test_ordinary_text(solution):
    """In ordinary text each pair of characters is merged where `str.split` finds it."""
    for left, right in ("th", "he", " t", "ee", "éâ", "’s", "y,", "00", ", "):
        first, *rest = TEXT.split(left + right)
        expected = [*first]
        for part in rest:
            expected += [left + right, *part]
        same(solution.merge_pair(tuple(TEXT), (left, right)), tuple(expected))


# --- diagnosis and explanation --------------------------------------------------------

#: Small calls that tell the known mistakes apart.
BANK = [
    (("b", "a", "n", "a", "n", "a"), ("a", "n")),
    (("te", "s", "t"), ("e", "s")),
    (("a", "b"), ("a", "b")),
    (("b", "a"), ("a", "b")),
    (("a", "b", "a"), ("a", "b")),
    (("a", "b", "c"), ("a", "b")),
    (("c", "a", "b"), ("a", "b")),
    (("a", "a", "b"), ("a", "b")),
    (("a", "c", "a", "b"), ("a", "b")),
    (("a", "b", "a", "b"), ("a", "b")),
    (("a", "b", "b", "a", "b"), ("a", "b")),
    (("a", "b", "b", "a"), ("b", "a")),
    (("a", "a", "a"), ("a", "a")),
    (("a", "a", "a", "a"), ("a", "a")),
    (("a", "a", "a", "a", "a"), ("a", "a")),
    (("b", "a", "a", "a"), ("a", "a")),
    (("a", "a", "a", "b", "a", "a"), ("a", "a")),
    (("aa", "a", "a"), ("a", "a")),
    (("aa", "aa"), ("a", "a")),
    (("ab", "d"), ("a", "b")),
    (("xa", "b"), ("a", "b")),
    (("a", "bx"), ("a", "b")),
    (("a", "bc"), ("ab", "c")),
    (("ab", "c"), ("a", "bc")),
    (("ab", "c", "ab", "c"), ("ab", "c")),
    (("ab", "a", "a", "ba"), ("ab", "a")),
    ((" ", "a", "b"), ("a", "b")),
    (("a b", "a", "b"), ("a", "b")),
    (("a", "b", " "), ("b", " ")),
]


def explain(reference, args, result):
    """The scan from left to right, up to the first symbol that is not the right one."""
    symbols, pair = args
    expected, yours = reference.merge_pair(symbols, pair), result.value
    if yours == expected:
        return []
    both = zip(yours, expected, strict=False)
    wrong = next((n for n, (a, b) in enumerate(both) if a != b), min(len(yours), len(expected)))
    rows, at = [], 0
    for n, symbol in enumerate(expected):
        end = at + 1 + (symbols[at : at + 2] == pair)
        remark = _remark(symbols, at, end, yours[n : n + 1]) if n == wrong else ""
        head = f"symbol {at}" if end == at + 1 else f"symbols {at}, {at + 1}"
        rows.append((head, f"{spelled(symbols[at:end])} → {shown(symbol)}", remark))
        at = end
    if wrong == len(expected):
        rows.append(("end", "", f"you go on with {spelled(yours[wrong:], room=5)}"))
    before = [LEFT_OUT] if wrong > 4 else []
    behind = [LEFT_OUT] if wrong + 2 < len(rows) else []
    return [*before, *rows[max(0, wrong - 4) : wrong + 2], *behind]


def _remark(symbols, at, end, yours):
    """What stands where symbols `at` to `end` should have given the next one."""
    here = symbols[at : at + 2]
    if not yours:
        return "missing in your answer"
    if end == at + 2 and yours == here[:1]:
        return "you did not merge here"
    if end == at + 1 and yours == ("".join(here),):
        return f"you merged {paired(here)}, another pair"
    if end == at + 1 and at and yours == ("".join(symbols[at - 1 : at + 1]),):
        return f"you used symbol {at - 1} a second time"
    return f"you have {shown(yours[0])}"
