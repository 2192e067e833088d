"""Diagnosis and explanation of `pair_counts`, `merge_pair` and `encode_bpe`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import catalog, diagnose
from grader.catalog import Mistake
from grader.judge import Options, judge
from grader.model import Kata, Outcome, Returned, Tier

KATAS = ("pair_counts", "merge_pair", "encode_bpe")
#: As the child would hash strings; no answer here depends on it.
HASH_SEED = 1

Row = tuple[str, str, str]


@dataclass(frozen=True)
class Banked:
    """What is right and what each known mistake answers to the calls of a bank."""

    kata: Kata
    suite: ModuleType
    right: list[Any]
    known: dict[Mistake, list[Any]]

    def differ(self, one: Mistake, other: Mistake) -> bool:
        return self.known[one] != self.known[other]

    def name(self, answers: list[Any]) -> list[str] | None:
        found = diagnose.match(self.kata, answers, self.known, self.right)
        return found and [mistake.id for mistake in found.mistakes]


@cache
def suite_of(name: str) -> ModuleType:
    return catalog.load_module(catalog.find(name).suite, f"_suite_of_{name}")


@cache
def reference_of(name: str) -> ModuleType:
    return catalog.reference_module(catalog.find(name))


@cache
def banked(name: str) -> Banked:
    kata, suite = catalog.find(name), suite_of(name)
    calls = diagnose.bank(suite, kata)
    known = diagnose.known_answers(kata, calls, time.monotonic() + 60, HASH_SEED)
    return Banked(kata, suite, list(diagnose.truth(kata, calls)), known)


def declared() -> Iterator[tuple[str, frozenset[str]]]:
    for name in KATAS:
        for alike in getattr(suite_of(name), "EQUIVALENT", {}):
            yield name, alike


# --- diagnosis -------------------------------------------------------------------------


@pytest.mark.parametrize("name", KATAS)
def test_each_mistake_is_diagnosed_as_itself(name: str) -> None:
    """A submission that answers as a mistake does gets that mistake's name and no other."""
    bank = banked(name)
    named = {mistake.id: bank.name(answers) for mistake, answers in bank.known.items()}
    fatal = [mistake.id for mistake in bank.known if mistake.outcome != "stretch"]
    assert {id: named[id] for id in fatal} == {id: [id] for id in fatal}


@pytest.mark.parametrize("name", KATAS)
def test_each_pair_of_mistakes_is_told_apart(name: str) -> None:
    """Some banked call tells two mistakes apart, or the suite says why none can."""
    bank = banked(name)
    alike = {
        frozenset({one.id, other.id})
        for one, other in combinations(bank.known, 2)
        if not bank.differ(one, other)
    }
    assert alike == set(getattr(bank.suite, "EQUIVALENT", {}))


def test_what_is_declared_alike_has_a_reason() -> None:
    """Each exception names two mistakes of the kata and says why they are one."""
    for name, alike in declared():
        assert len(suite_of(name).EQUIVALENT[alike].split()) > 5
        assert alike <= {mistake.id for mistake in catalog.mistakes(catalog.find(name))}


@pytest.mark.parametrize("name", KATAS)
def test_a_bank_is_small_and_rarely_hangs(name: str) -> None:
    """At most 40 tiny calls, none twice, and one in which a mistake may run into the limit."""
    bank = banked(name)
    calls = [repr(args) for args in bank.suite.BANK]
    assert len(calls) == len(set(calls)) <= 40
    assert max(map(len, calls)) < 120
    hanging = [a for answers in bank.known.values() for a in answers if a == ("timeout",)]
    assert len(hanging) <= 1


@pytest.mark.parametrize("name", KATAS)
def test_what_is_right_gets_no_name(name: str) -> None:
    """The reference agrees with no mistake."""
    bank = banked(name)
    assert bank.name(bank.right) is None


def _of_all_pairs(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """Counts every pair of positions, neighbours or not."""
    totals: dict[tuple[str, str], int] = {}
    for word, count in words.items():
        for pair in combinations(word, 2):
            totals[pair] = totals.get(pair, 0) + count
    return totals


def _keeps_the_left(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Forgets the right symbol of each occurrence."""
    merged = reference_of("merge_pair").merge_pair(symbols, pair)
    return tuple(pair[0] if symbol == "".join(pair) else symbol for symbol in merged)


def _sorts(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Sorts what is right."""
    return sorted(reference_of("encode_bpe").encode_bpe(word, merges))


@pytest.mark.parametrize(
    ("name", "function"),
    [("pair_counts", _of_all_pairs), ("merge_pair", _keeps_the_left), ("encode_bpe", _sorts)],
)
def test_an_unknown_mistake_gets_no_name(name: str, function: Callable[..., Any]) -> None:
    """No name is better than a wrong one."""
    bank = banked(name)
    answers = [("value", function(*args), args) for args in bank.suite.BANK]
    assert answers != bank.right
    assert bank.name(answers) is None


# --- explanation -----------------------------------------------------------------------

TEA = suite_of("encode_bpe").TEA
ABCD = suite_of("encode_bpe").ABCD


def explained(name: str, args: tuple[Any, ...], value: Any) -> list[Row]:
    rows: list[Row] = suite_of(name).explain(reference_of(name), args, Returned(value, args))
    return rows


@pytest.mark.parametrize(
    ("words", "yours", "rows"),
    [
        (
            {("a", "a", "a"): 2},
            {("a", "a"): 2},
            [("(a, a)", "4 in all", "you have 2"), ("a a a", "2 places × count 2", "adds 4")],
        ),
        (
            {("a", "b"): 5, ("a", "b", "c"): 1, ("x",): 2},
            {("a", "b"): 5},
            [
                ("(a, b)", "6 in all", "you have 5"),
                ("a b", "1 place × count 5", "adds 5"),
                ("a b c", "1 place × count 1", "adds 1"),
                ("(b, c)", "1 in all", "you do not list it"),
            ],
        ),
        (
            {("a", "b"): 1, (): 3, ("c", " "): 1},
            {("a", "b"): 1, ("b", "c"): 1, ("c", " "): 1},
            [("(b, c)", "in no word", "you have 1"), ("a b | c ␣", "two words", "not neighbours")],
        ),
        (
            {("b", "a"): 2},
            {("b", "a"): 2, ("a", "b"): 0},
            [
                ("(a, b)", "in no word", "you have 0"),
                ("(b, a)", "occurs, and is another pair", ""),
            ],
        ),
        (
            {("ab", "c"): 2},
            {("ab", "c"): 2, ("a", "bc"): 2},
            [
                ("(a, bc)", "in no word", "you have 2"),
                ("(ab, c)", "occurs, and is another pair", "the same text when joined"),
            ],
        ),
        (
            {("a", "b", "c", "d", "e"): 1},
            {},
            [
                ("(a, b)", "1 in all", "you do not list it"),
                ("a b c d e", "1 place × count 1", "adds 1"),
                ("(b, c)", "1 in all", "you do not list it"),
                ("(c, d)", "1 in all", "you do not list it"),
                ("…", "1 more", ""),
            ],
        ),
        ({("a", "b"): 1}, {("a", "b"): 1}, []),
    ],
    ids=["overlap", "lost", "across", "order", "joined", "many", "right"],
)
def test_a_wrong_total(words: dict[Any, int], yours: dict[Any, int], rows: list[Row]) -> None:
    """The pair, its two totals, and the words that hold it with what each adds."""
    assert explained("pair_counts", (words,), yours) == rows


@pytest.mark.parametrize(
    ("symbols", "pair", "yours", "rows"),
    [
        (
            "aaa",
            "aa",
            ("aa", "aa"),
            [
                ("symbols 0, 1", "a a → aa", ""),
                ("symbol 2", "a → a", "you used symbol 1 a second time"),
            ],
        ),
        (
            "abc",
            "ab",
            ("ab",),
            [("symbols 0, 1", "a b → ab", ""), ("symbol 2", "c → c", "missing in your answer")],
        ),
        (
            "abab",
            "ab",
            ("ab", "a", "b"),
            [
                ("symbols 0, 1", "a b → ab", ""),
                ("symbols 2, 3", "a b → ab", "you did not merge here"),
            ],
        ),
        (
            ("te", "s", "t"),
            "es",
            ("tes", "t"),
            [
                ("symbol 0", "te → te", "you merged (te, s), another pair"),
                ("symbol 1", "s → s", ""),
                ("…", "", ""),
            ],
        ),
        (
            "xxxxxx ab",
            "ab",
            (*"xxxxxx", "ab"),
            [
                ("…", "", ""),
                *((f"symbol {at}", "x → x", "") for at in range(2, 6)),
                ("symbol 6", "␣ → ␣", "you have ab"),
                ("symbols 7, 8", "a b → ab", ""),
            ],
        ),
        (
            "ab",
            "ab",
            ("ab", "b"),
            [("symbols 0, 1", "a b → ab", ""), ("end", "", "you go on with b")],
        ),
        ("ab", "ab", ("ab",), []),
    ],
    ids=["twice", "lost", "first only", "text", "space", "longer", "right"],
)
def test_a_wrong_merge(symbols: Any, pair: Any, yours: tuple[str, ...], rows: list[Row]) -> None:
    """The scan from left to right, up to the symbol that is not the right one."""
    assert explained("merge_pair", (tuple(symbols), tuple(pair)), yours) == rows


@pytest.mark.parametrize(
    ("word", "merges", "yours", "rows"),
    [
        (
            "teat",
            TEA,
            ["tea", "t"],
            [
                ("rank 0 (e, a)", "t e a t → t ea t", ""),
                ("rank 1 (ea, t)", "t ea t → t eat", "you merged (t, ea), rank 2, here"),
            ],
        ),
        (
            "abcd",
            ABCD,
            ["a", "bcd"],
            [("rank 0 (a, b)", "a b c d → ab c d", "you merged (b, c), rank 1, here")],
        ),
        (
            "east",
            TEA,
            ["e", "a", "s", "t"],
            [("rank 0 (e, a)", "e a s t → ea s t", "you left these two apart")],
        ),
        (
            "aaa",
            [("a", "a")],
            ["a", "aa"],
            [("rank 0 (a, a)", "a a a → aa a", "you merged (a, a) one place further right")],
        ),
        (
            "eats ",
            TEA,
            ["eats "],
            [
                ("rank 0 (e, a)", "e a t s ␣ → ea t s ␣", ""),
                ("rank 1 (ea, t)", "ea t s ␣ → eat s ␣", ""),
                ("rank 5 (eat, s)", "eat s ␣ → eats ␣", ""),
                ("no merge left", "eats ␣", "you went on to eats␣"),
            ],
        ),
        (
            "aab",
            [("a", "b")],
            ["aa", "b"],
            [("rank 0 (a, b)", "a a b → a ab", "you have aa b here")],
        ),
        ("aaa", [("a", "a")], ["aa", "aa"], [("joined", "aa aa → aaaa", "the word is aaa")]),
        ("é\n", TEA, [], [("joined", "your answer is empty", "the word is é\\n")]),
        ("ab", [], ["a", "", "b"], [("joined", "symbol 1 of your answer is empty", "")]),
        ("ab", [], ["a", "b"], []),
        ("a" * 2000, [], ["aa"], []),
    ],
    ids=[
        "teat",
        "abcd",
        "apart",
        "place",
        "beyond",
        "other-pair",
        "twice",
        "lost",
        "empty",
        "right",
        "long",
    ],
)
def test_a_wrong_segmentation(
    word: str, merges: list[tuple[str, str]], yours: list[str], rows: list[Row]
) -> None:
    """The merges by rank, up to the one that the answer rules out, and what it has there."""
    assert explained("encode_bpe", (word, merges), yours) == rows


def test_a_long_explanation_keeps_its_end() -> None:
    """The step that matters is the last one; of those before it the nearest are kept."""
    merges = [("abcdefghijkl"[:n], "abcdefghijkl"[n]) for n in range(1, 12)]
    rows = explained("encode_bpe", ("abcdefghijkl", merges), ["abcdefghij", "kl"])
    assert len(rows) == 8
    assert rows[0] == ("…", "", "")
    assert rows[-1] == (
        "rank 9 (abcdefghij, k)",
        "abcdefghij k l → abcdefghijk l",
        "you have abcdefghij kl here",
    )


def test_a_long_word_is_shown_around_the_place() -> None:
    """Of a word that fills the screen, only what is near the difference is shown."""
    word = "x" * 100 + "ab" + "y" * 100
    (row,) = explained("encode_bpe", (word, [("a", "b")]), list(word))
    assert row[1] == (
        "… " + "x " * 8 + "a b " + "y " * 6 + "… → … " + "x " * 8 + "ab " + "y " * 7 + "…"
    )


SYMBOLS = st.sampled_from(["a", "b", "ab", " ", "\n", "é", ""])
WORDS = st.lists(SYMBOLS, max_size=8).map(tuple)
PAIRS = st.tuples(SYMBOLS, SYMBOLS)


@settings(max_examples=150, derandomize=True, database=None)
@given(WORDS, WORDS, PAIRS, st.dictionaries(PAIRS, st.integers(), max_size=3))
def test_any_answer_of_the_right_type_is_explained(
    word: tuple[str, ...], other: tuple[str, ...], pair: tuple[str, str], totals: dict[Any, int]
) -> None:
    """Whatever a student returns, an explanation is a few rows of three strings."""
    known = tuple(symbol for symbol in word if symbol)
    pair = (pair[0] or "a", pair[1] or "b")
    for name, args, value in (
        ("pair_counts", ({known: 2, ("a", "b"): 1},), totals),
        ("merge_pair", (known, pair), other),
        ("encode_bpe", ("".join(known), [("a", "b"), ("ab", "a")]), list(other)),
        ("encode_bpe", ("".join(known), [("a", "b"), ("ab", "a")]), list(word)),
    ):
        rows = explained(name, args, value)
        assert len(rows) <= 8
        assert all(len(row) == 3 and all(type(cell) is str for cell in row) for row in rows)


# --- the whole way ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "mistake", "outcome", "last"),
    [
        ("pair_counts", "once_per_word", Outcome.WRONG, "adds 4"),
        ("merge_pair", "returns_a_list", Outcome.WRONG, None),
        ("merge_pair", "reads_past_the_end", Outcome.RAISED, None),
        ("encode_bpe", "leftmost_pair_first", Outcome.WRONG, "you merged (t, ea), rank 2, here"),
        ("encode_bpe", "merges_in_passes", Outcome.WRONG, "you merged (t, ea), rank 2, here"),
    ],
)
def test_a_run_names_and_explains(
    name: str, mistake: str, outcome: Outcome, last: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a learner sees has the mistake's name and, for a wrong value, the step."""
    kata = catalog.find(name)
    report = judge(kata, f"mistake:{mistake}", Options(seed=3, timing=False))
    failed = next(v for v in report.verdicts if v.outcome is outcome)
    assert report.outcome is outcome
    assert failed.tier in (Tier.EXAMPLE, Tier.LAW)
    assert report.diagnosis is not None
    assert report.diagnosis.id == mistake
    assert report.diagnosis.agrees[0] == report.diagnosis.agrees[1] > 20
    assert failed.counterexample is not None
    assert [step[2] for step in failed.counterexample.steps[-1:]] == ([last] if last else [])
