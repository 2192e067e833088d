"""Diagnosis and explanation of `train_byte_bpe`.

The known mistakes run in this process: a sandbox costs ten times as much, and one run through it
at the end shows that it makes no difference.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import catalog, diagnose, plugin
from grader.catalog import Mistake
from grader.judge import Options, judge
from grader.model import Call, Outcome, Raised, Returned, Tier
from grader.sandbox.host import Host
from grader.solution import InProcess
from grader.submission import load

plugin.prepare_suites()

KATA = catalog.find("train_byte_bpe")
SUITE = catalog.load_module(KATA.suite, "_suite_of_train_byte_bpe")
MISTAKES = catalog.load_module(KATA.mistakes, "_mistakes_of_train_byte_bpe")
REFERENCE = catalog.reference_module(KATA)
CALLS = diagnose.bank(SUITE, KATA)

Train = Callable[[str, int, list[str]], Any]
Row = tuple[str, str, str]


def answers(train: Train) -> list[Any]:
    """What a trainer answers to the bank, as a diagnosis compares it."""
    with TemporaryDirectory() as folder:
        engine = InProcess(KATA, train, Path(folder))
        return [_seen(engine.call(call), call) for call in CALLS]


def _seen(result: Any, call: Call) -> Any:
    if isinstance(result, Raised):
        return ("raised",)
    assert isinstance(result, Returned)
    vocab, merges = result.value
    if {*map(type, vocab)} != {int} or {type(each) for pair in merges for each in pair} - {bytes}:
        return ("type",)
    return ("judged", SUITE.judged(call.args, result))


@cache
def known() -> dict[Mistake, list[Any]]:
    return {m: answers(getattr(MISTAKES, m.id)) for m in catalog.mistakes(KATA)}


@cache
def right() -> list[Any]:
    return answers(REFERENCE.train_byte_bpe)


def names(found: list[Any]) -> list[str] | None:
    finding = diagnose.match(KATA, found, known(), right())
    return finding and [mistake.id for mistake in finding.mistakes]


# --- diagnosis ------------------------------------------------------------------------


def test_each_mistake_is_diagnosed_as_itself() -> None:
    """Who answers as a mistake does gets that name and no other; who is right gets none."""
    slow = {id for found in SUITE.COSTS.values() for id in found}
    due = {m.id: None if m.id in slow else [m.id] for m in known()}
    assert {m.id: names(found) for m, found in known().items()} == due
    assert names(right()) is None


def test_each_pair_of_mistakes_is_told_apart() -> None:
    """Some banked call tells two mistakes apart, or the suite says why none can."""
    rows = {m.id: found for m, found in known().items()}
    alike = {frozenset(pair) for pair in combinations(rows, 2) if rows[pair[0]] == rows[pair[1]]}
    assert alike == set(SUITE.EQUIVALENT)
    assert all(len(reason.split()) > 5 for reason in SUITE.EQUIVALENT.values())


def test_the_bank_is_cheap() -> None:
    """Small files, but for three that a wrong solution may cut into chunks."""
    sizes = sorted(len(call.args[0]) for call in CALLS)
    assert len(sizes) <= 48
    assert sizes[-4] < 100
    assert sizes[-1] < diagnose.LARGE


def first_seen_by_recounting(path: str, vocab_size: int, special_tokens: list[str]) -> Any:
    """Counts all pairs again each round, in the order of the text."""

    def learn(pretokens: Counter[bytes], room: int) -> list[tuple[bytes, bytes]]:
        words = {token: [bytes([byte]) for byte in token] for token in pretokens}
        merges: list[tuple[bytes, bytes]] = []
        while len(merges) < room:
            stats: dict[tuple[bytes, bytes], int] = {}
            for token, symbols in words.items():
                for pair in pairwise(symbols):
                    stats[pair] = stats.get(pair, 0) + pretokens[token]
            if not stats:
                break
            merges.append(max(stats, key=stats.__getitem__))
            words = {t: list(MISTAKES._merge(s, merges[-1])) for t, s in words.items()}
        return merges

    return MISTAKES._train(MISTAKES._read(path), vocab_size, special_tokens, learn=learn)


def test_one_mistake_in_two_programs_has_one_name() -> None:
    """Which pair is seen first later on depends on the program; that it is a tie does not."""
    found = answers(first_seen_by_recounting)
    assert names(found) == ["tie_first_seen"]


def test_a_mistake_of_ones_own_has_no_name() -> None:
    """Two mistakes at once, or half of one, are none of the known ones."""

    def both(path: str, vocab_size: int, special_tokens: list[str]) -> Any:
        vocab, merges = MISTAKES.tie_smallest(path, vocab_size, special_tokens)
        return vocab, merges[:-1]

    assert names(answers(both)) is None


@pytest.mark.parametrize("hash_seed", [1, 77])
def test_what_varies_is_itself_under_any_hash_seed(hash_seed: int) -> None:
    """A tie decided by a set is no other mistake, whatever the seed; here in the sandbox."""
    source = load(KATA, "mistake:varies_with_hash_seed")
    with Host(KATA, source, hash_seed=hash_seed) as host:
        found = [_seen(host.call(call), call) for call in CALLS[:-3]]
    assert found not in [row[:-3] for row in (right(), *known().values())]


# --- explanation ----------------------------------------------------------------------


def explained(train: Train, text: str, room: int, special_tokens: list[str]) -> list[Row]:
    args = SUITE.bank_call(text, room, special_tokens)
    with TemporaryDirectory() as folder:
        result = InProcess(KATA, train, Path(folder)).call(Call(KATA.name, args))
    rows: list[Row] = SUITE.explain(REFERENCE, args, result)
    return rows


@pytest.mark.parametrize(
    ("mistake", "text", "room", "special_tokens", "rows"),
    [
        (
            "tie_first_seen",
            "ab é",
            1,
            [],
            [
                ("due", "(b'\\xc3', b'\\xa9')", "count 1"),
                ("yours", "(a, b)", "count 1, a tie: the greater pair goes first"),
                ("pre-token × 1", "a b", "holds (a, b) once"),
                ("pre-token × 1", "␣ b'\\xc3' b'\\xa9'", "holds (b'\\xc3', b'\\xa9') once"),
            ],
        ),
        (
            "old_neighbour_booked",
            "abab",
            2,
            ["<s>"],
            [
                ("merge 1", "as due", ""),
                ("due", "(ab, ab)", "count 1"),
                ("yours", "(b, ab)", "count 0: no pre-token has the two side by side"),
                ("pre-token × 1", "ab ab", "holds (ab, ab) once"),
            ],
        ),
        (
            "text_mode_newlines",
            "a\r\n\r\nb",
            1,
            [],
            [
                ("due", "(\\r, \\n)", "count 1"),
                ("yours", "nothing", "you stop here"),
                ("pre-token × 1", "\\r \\n \\r", "holds (\\r, \\n) once"),
            ],
        ),
        (
            "special_tokens_in_list_order",
            "<s>ab<s>abzz",
            1,
            ["<s>", "<s>ab"],
            [
                ("due", "(z, z)", "count 1"),
                (
                    "yours",
                    "(a, b)",
                    "count 0: it is in the special token <s>ab, and in no pre-token",
                ),
                ("pre-token × 1", "z z", "holds (z, z) once"),
            ],
        ),
        (
            "special_text_is_learned",
            "<zz>a b",
            1,
            ["<zz>"],
            [
                ("due", "(␣, b)", "count 1"),
                (
                    "yours",
                    "(z, z)",
                    "count 0: it is in the special token <zz>, and in no pre-token",
                ),
                ("pre-token × 1", "␣ b", "holds (␣, b) once"),
            ],
        ),
        (
            "joined_empty_pattern",
            "ab",
            1,
            [],
            [
                ("due", "(a, b)", "count 1"),
                ("yours", "nothing", "you stop here"),
                ("pre-token × 1", "a b", "holds (a, b) once"),
            ],
        ),
        (
            "one_merge_without_room",
            "aa",
            0,
            [],
            [
                ("due", "nothing", "256 ids leave room for 0 merges"),
                ("yours", "(a, a)", "count 1"),
                ("pre-token × 1", "a a", "holds (a, a) once"),
            ],
        ),
        (
            "merges_at_count_zero",
            "aa",
            9,
            [],
            [
                ("merge 1", "as due", ""),
                ("due", "nothing", "every pre-token is one symbol"),
                ("yours", "(a, a)", "count 0: merge 1 made it one symbol everywhere"),
            ],
        ),
        (
            "special_tokens_get_last_ids",
            "aa",
            1,
            ["<s>"],
            [
                ("id 256", "<s>", "yours: aa (due: special token 1 of 1)"),
                ("your vocab", "<s>", "has the id 257"),
            ],
        ),
        (
            "no_room_cuts_vocab",
            "aa",
            -1,
            [],
            [("id 255", "b'\\xff'", "yours: no entry (due: a byte)")],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "_" in value else "",
)
def test_the_first_merge_that_differs_or_the_first_wrong_id(
    mistake: str, text: str, room: int, special_tokens: list[str], rows: list[Row]
) -> None:
    """Both pairs with their counts then, and the pre-tokens that hold them."""
    assert explained(getattr(MISTAKES, mistake), text, room, special_tokens) == rows


def test_nothing_is_said_about_a_right_answer_or_a_long_file() -> None:
    """An explanation of a right answer would mislead, and nobody reads one of a long file."""
    for text, room, special_tokens in (("abab é\n", 9, ["<s>"]), ("", 3, []), ("ab", -9, ["a"])):
        assert explained(REFERENCE.train_byte_bpe, text, room, special_tokens) == []
    assert explained(MISTAKES.tie_smallest, "ab ba " * 4000, 2, []) == []


SYMBOLS = st.sampled_from([b"a", b"b", b"ab", b" ", b"\xff", b""])


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(
    st.lists(st.tuples(SYMBOLS, SYMBOLS), max_size=4),
    st.none() | st.dictionaries(st.integers(-1, 262), SYMBOLS, max_size=3),
    st.sampled_from(CALLS),
)
def test_any_answer_of_the_right_type_is_explained(
    merges: list[tuple[bytes, bytes]], changes: dict[int, bytes] | None, call: Call
) -> None:
    """Whatever was returned, there are at most eight rows of three texts."""
    corpus, vocab_size, special_tokens = call.args
    if changes is not None:
        merges = copy.copy(SUITE.right_merges(corpus, vocab_size, tuple(special_tokens)))
    vocab = SUITE.numbered_tokens(special_tokens, merges) | (changes or {})
    rows = SUITE.explain(REFERENCE, call.args, Returned((vocab, merges), call.args))
    assert len(rows) <= 8
    assert all(isinstance(text, str) for row in rows for text in row)


# --- the whole way --------------------------------------------------------------------


def test_a_run_names_and_explains() -> None:
    """Through the sandbox: the name, and the merge that differs in the shown call."""
    options = Options(seed=3, timing=False, stop_at_first_failure=True)
    report = judge(KATA, "mistake:special_tokens_in_list_order", options)
    assert report.diagnosis is not None
    assert report.diagnosis.id == "special_tokens_in_list_order"
    assert report.diagnosis.agrees[0] > 40
    failed = next(v for v in report.verdicts if v.outcome is Outcome.WRONG)
    assert failed.counterexample is not None
    assert failed.counterexample.steps[0] == ("due", "(z, z)", "count 1")


def test_documents_are_counted_and_not_files() -> None:
    """One file holds many generated documents; a long text is one."""
    assert SUITE.inputs((b"ab<doc>b<doc>c", 300, ["<doc>"])) == 3
    assert SUITE.inputs((b"ab", 300, [])) == 1
    assert SUITE.inputs((b"ab<doc>" * 9000, 300, ["<doc>"])) == 1


def test_an_edited_stub_stops_after_its_examples() -> None:
    """Nothing was written, so nothing more is tried."""
    source = KATA.stub.replace("Write the function below", "Write it").encode()
    report = judge(KATA, replace(load(KATA, "reference"), source=source), Options(seed=0))
    assert report.outcome is Outcome.UNWRITTEN
    assert {v.tier for v in report.verdicts if v.outcome is not None} == {Tier.EXAMPLE}
