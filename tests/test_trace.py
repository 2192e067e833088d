"""Merges step by step: the same as the references make, and readable everywhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from grader import byhand, catalog, counterexample, trace, tracer, workspace
from grader.errors import UsageError
from grader.model import Call, Counterexample, Outcome
from grader.solution import call_source
from grader.tracer import Word
from tests.reports import failing, make_report

KATAS = catalog.all_katas()
TEA = ("tea:6", "teas:2", "eat:5", "eats:3", "seat:4", "set:3")
TABLES = st.dictionaries(st.text("ab", min_size=1, max_size=6), st.integers(1, 5), max_size=5)


def reference(name: str) -> object:
    return getattr(catalog.reference_module(catalog.find(name)), name)


def traced(answers: str = "", **request: object) -> str:
    out = io.StringIO()
    asked = trace.Request(**request)  # type: ignore[arg-type]
    assert trace.trace(asked, io.StringIO(answers), out, Path("/nowhere")) == 0
    return out.getvalue()


@given(table=TABLES, limit=st.integers(0, 12))
def test_a_training_is_the_references(table: dict[str, int], limit: int) -> None:
    """The merges that are shown are those `train_bpe` learns."""
    words = [Word(tuple(word), count) for word, count in table.items()]
    shown = [turn.pair for turn in tracer.training(words, limit)]
    assert shown == reference("train_bpe")(table, limit)  # type: ignore[operator]


@given(table=TABLES, word=st.text("abc", max_size=8))
def test_an_encoding_is_the_references(table: dict[str, int], word: str) -> None:
    """The symbols at the end are those `encode_bpe` returns."""
    merges = reference("train_bpe")(table, 8)  # type: ignore[operator]
    now = tuple(word)
    for turn in tracer.encoding(word, merges):
        now = turn.after[0].symbols  # type: ignore[assignment]
    assert list(now) == reference("encode_bpe")(word, merges)  # type: ignore[operator]


def test_a_tie_is_shown_as_a_tie() -> None:
    """With the rule that decides it; a lone best count is none."""
    text = traced(words=TEA)
    assert "5  (e, t) → et   3 times, a tie of 3: the smallest goes first" in text
    assert "1  (e, a) → ea   20 times\n" in text
    assert "No pair is left." in text


def test_the_other_tie_rule_is_an_option() -> None:
    """`--greatest` turns it round, and says so."""
    text = traced(words=("ab", "ba"), greatest=True, merges=1)
    assert "(b, a) → ba" in text
    assert "the greatest goes first" in text
    assert "--merges N" in text


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_asked(width: int) -> None:
    """Words, candidates and remarks wrap; a word longer than a line is cut."""
    long = "ab" * 300
    text = traced(words=(*TEA, long), width=width, merges=3)
    assert max(map(cell_len, text.splitlines())) <= width


def test_hostile_words_are_made_visible() -> None:
    """An escape sequence, a right-to-left override and markup stay text."""
    text = traced(words=("\x1b[2J\u202e[red]ab",), merges=1)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_text_is_split_like_gpt2() -> None:
    """The space belongs to the word behind it, and shows."""
    assert "␣ c a t" in traced(text="the cat", merges=1)


def test_a_file_is_traced_and_named(tmp_path: Path) -> None:
    """With the number of its distinct pre-tokens."""
    (tmp_path / "notes.txt").write_text("the cat the hat")
    text = traced(file=tmp_path / "notes.txt", merges=1)
    assert text.startswith("notes.txt, 4 distinct pre-tokens")


@pytest.mark.parametrize(
    "request_",
    [{}, {"words": ("a",), "text": "b"}, {"words": ("a:0",)}, {"text": ""}],
)
def test_what_cannot_be_traced_is_one_sentence(request_: dict[str, object]) -> None:
    """Nothing, two things at once, no word."""
    with pytest.raises(UsageError):
        traced(**request_)


FAILED = {
    "pair_counts": (({("a", "b"): 2},), "(a, b)"),
    "merge_pair": ((("a", "b", "a"), ("a", "b")), "[ab] a"),
    "train_bpe": (({"abab": 1}, 2), "(a, b)"),
    "encode_bpe": (("eat", [("e", "a"), ("ea", "t")]), "rank 1"),
    "merge_and_update": (
        ([["a", "b"]], [3], {("a", "b"): 3}, {("a", "b"): {0}}, ("a", "b")),
        "3 times",
    ),
    "train_byte_bpe": (("é é<s>".encode(), 300, ["<s>"]), r"(\xc3, \xa9) → é"),
}


@pytest.mark.parametrize("name", FAILED)
def test_the_last_failure_of_every_kata_can_be_traced(tmp_path: Path, name: str) -> None:
    """`--last NAME` shows the input of its counterexample."""
    workspace.create(tmp_path / "my", KATAS)
    args, expected = FAILED[name]
    kata = catalog.find(name)
    found = Counterexample(call_source(kata, Call(name, args)), None, None, None, "")
    report = make_report(Outcome.WRONG, kata=kata, verdicts=failing(found))
    counterexample.remember(workspace.Workspace(tmp_path / "my"), report)
    out = io.StringIO()
    asked = trace.Request(last=name)
    assert trace.trace(asked, io.StringIO(), out, tmp_path / "my") == 0
    assert expected in out.getvalue()


def test_every_kata_has_a_trace() -> None:
    """A new kata needs one, or the sentence that it has none."""
    assert {kata.name for kata in KATAS} == set(trace._SUBJECTS)


# --- by hand ---------------------------------------------------------------------------


def test_by_hand_says_what_is_wrong_and_keeps_the_score() -> None:
    """A lower count, a lost tie, a pair that is not there; the right one only when asked."""
    text = traced("t e\nz z\ne a\n?\nq\n", words=TEA, by_hand=True)
    assert "That pair occurs 8 times; another one occurs more often." in text
    assert "That pair does not occur." in text
    assert "1  (e, a) → ea" in text
    assert "2  (ea, t) → eat" in text
    assert "0 of 2 right at the first try." in text


def test_by_hand_a_tie_is_decided_by_the_rule() -> None:
    """The same count is not enough."""
    text = traced("b a\n", words=("aba",), by_hand=True)
    assert "it is a tie: the smallest pair goes." in text


def test_by_hand_three_wrong_answers_show_the_merge() -> None:
    """And the exercise goes on to its end."""
    text = traced("x y\n" * 3, words=("ab",), by_hand=True)
    assert "(a, b) → ab" in text
    assert "0 of 1" in text


@pytest.mark.parametrize("answer", ["e a", "e, a", "(e, a)", "('e', 'a')", '("e", "a")', "ea"])
def test_a_pair_can_be_written_in_many_ways(answer: str) -> None:
    """With a space, a comma, brackets, quotes, or joined where that is clear."""
    turn = next(tracer.training([Word(tuple("eat"), 1)], 1))
    assert byhand.read(turn, answer) == ("e", "a")


@pytest.mark.parametrize("answer", ["", "e a t", "x", "('e',)", "\x00"])
def test_what_is_no_pair_costs_no_try(answer: str) -> None:
    """It is told how to write one."""
    turn = next(tracer.training([Word(tuple("eat"), 1)], 1))
    with pytest.raises(byhand.Unread):
        byhand.read(turn, answer)


def test_a_space_can_be_named() -> None:
    """As it is shown, or in quotes."""
    turn = next(tracer.training([Word((" ", "t"), 1)], 1))
    assert byhand.read(turn, "␣ t") == byhand.read(turn, "(' ', 't')") == (" ", "t")
