"""Diagnosis and explanation of `train_bpe` and `merge_and_update`."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import catalog, diagnose, plugin
from grader.catalog import Mistake
from grader.judge import Options, judge
from grader.model import Call, Kata, Outcome, Returned
from grader.solution import InProcess

plugin.prepare_suites()

KATAS = ("train_bpe", "merge_and_update")
HASH_SEEDS = (1, 77)
#: The most a bank may cost: each call is made on every known mistake that still agrees.
BANK_SIZE = 40

AB, AA = ("a", "b"), ("a", "a")
Row = tuple[str, str, str]


# --- what the tests look at -----------------------------------------------------------


@cache
def suite_of(name: str) -> ModuleType:
    return catalog.load_module(catalog.find(name).suite, f"_suite_of_{name}")


@cache
def reference_of(name: str) -> ModuleType:
    return catalog.reference_module(catalog.find(name))


def judged(name: str, call: Call, answer: tuple[Any, ...]) -> tuple[Any, ...]:
    """An answer without what the statement leaves open, where the suite knows what that is."""
    only = getattr(suite_of(name), "judged", None)
    if only is None or answer[0] != "value":
        return answer
    return "value", only(call.args, Returned(answer[1], answer[2]))


@dataclass(frozen=True)
class Banked:
    """The calls of a bank, what is right, and what each known mistake answers."""

    kata: Kata
    calls: list[Call]
    right: list[Any]
    known: dict[Mistake, list[Any]]

    def named(self, answers: Sequence[Any]) -> list[str] | None:
        found = diagnose.match(self.kata, answers, self.known, self.right)
        return [mistake.id for mistake in found.mistakes] if found else None


def banked(name: str) -> Banked:
    return banked_under(name, HASH_SEEDS[0])


@cache
def banked_under(name: str, hash_seed: int) -> Banked:
    kata = catalog.find(name)
    calls = diagnose.bank(suite_of(name), kata)
    right = diagnose.truth(kata, calls)
    known = diagnose.known_answers(kata, calls, time.monotonic() + 60, hash_seed)
    return Banked(
        kata,
        calls,
        [judged(name, *both) for both in zip(calls, right, strict=True)],
        {
            mistake: [judged(name, *both) for both in zip(calls, answers, strict=True)]
            for mistake, answers in known.items()
        },
    )


def must_fail(name: str) -> list[str]:
    return [m.id for m in catalog.mistakes(catalog.find(name)) if m.outcome != "stretch"]


def answers_of(name: str, function: Callable[..., Any], folder: Any) -> list[Any]:
    """What a function written here answers to the bank, without a sandbox."""
    bank = banked(name)
    engine, answers = InProcess(bank.kata, function, folder), []
    for call in bank.calls:
        result = engine.call(call)
        raw = ("value", result.value, result.args) if isinstance(result, Returned) else ("raised",)
        answers.append(judged(name, call, raw))
    return answers


# --- diagnosis ------------------------------------------------------------------------


@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
@pytest.mark.parametrize("name", KATAS)
def test_each_mistake_is_diagnosed_as_itself(name: str, hash_seed: int) -> None:
    """Who answers as a mistake does gets that mistake's name and no other."""
    bank = banked_under(name, hash_seed)
    named = {mistake.id: bank.named(answers) for mistake, answers in bank.known.items()}
    assert {id: named[id] for id in must_fail(name)} == {id: [id] for id in must_fail(name)}


@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
@pytest.mark.parametrize("name", KATAS)
def test_each_pair_of_mistakes_is_told_apart(name: str, hash_seed: int) -> None:
    """Two mistakes differ on a banked call; none of these katas declares any pair alike."""
    known = banked_under(name, hash_seed).known
    assert not hasattr(suite_of(name), "EQUIVALENT")
    assert not [(a.id, b.id) for a, b in combinations(known, 2) if known[a] == known[b]]


@pytest.mark.parametrize("name", KATAS)
def test_a_slow_solution_has_no_name(name: str) -> None:
    """A mistake that fails no law answers rightly, so nobody is told to have it."""
    bank = banked(name)
    slow = [mistake for mistake in bank.known if mistake.outcome == "stretch"]
    assert all(bank.known[mistake] == bank.right for mistake in slow)
    assert bank.named(bank.right) is None


@pytest.mark.parametrize("name", KATAS)
def test_right_solutions_answer_alike(name: str, tmp_path: Any) -> None:
    """Programs that are right agree on every call, whatever they leave in `where`."""
    path = catalog.places().suites / "right" / f"{name}.py"
    module = catalog.load_module(path, f"_right_{name}")
    for key, function in vars(module).items():
        own = getattr(function, "__module__", None) == module.__name__
        if own and callable(function) and not key.startswith("_"):
            assert answers_of(name, function, tmp_path) == banked(name).right, key


def test_one_call_hangs_at_most() -> None:
    """A trainer that waits for another pair waits in the last call only; each wait is dear."""
    *others, (table, num_merges) = suite_of("train_bpe").BANK
    train = reference_of("train_bpe").train_bpe
    assert all(len(train(*args)) == args[1] for args in others)
    assert len(train(table, num_merges)) < num_merges


@pytest.mark.parametrize("name", KATAS)
def test_the_bank_is_small(name: str) -> None:
    """A diagnosis has a second, and most of it goes into starting two children."""
    assert len(suite_of(name).BANK) <= BANK_SIZE


def test_a_tie_by_first_sight_is_recognised_in_other_code(tmp_path: Any) -> None:
    """A trainer of someone's own gets the name of the mistake it shares."""

    def train(table: dict[str, int], rounds: int) -> list[tuple[str, str]]:
        spelled = {word: tuple(word) for word in table}
        learned: list[tuple[str, str]] = []
        while len(learned) < rounds:
            totals: dict[tuple[str, str], int] = {}
            for word, symbols in spelled.items():
                for at in range(1, len(symbols)):
                    pair = symbols[at - 1], symbols[at]
                    totals[pair] = totals.get(pair, 0) + table[word]
            if not totals:
                break
            left, right = max(totals, key=lambda pair: totals[pair])
            learned.append((left, right))
            for word, symbols in spelled.items():
                made, at = [], 0
                while at < len(symbols):
                    hit = symbols[at : at + 2] == (left, right)
                    made.append(left + right if hit else symbols[at])
                    at += 2 if hit else 1
                spelled[word] = tuple(made)
        return learned

    answers = answers_of("train_bpe", train, tmp_path)
    assert banked("train_bpe").named(answers) == ["tie_first_seen"]


def test_what_a_statement_leaves_open_hides_no_mistake(tmp_path: Any) -> None:
    """An index that is tidied in another way, and words edited in place, change no name."""

    def update(words: Any, counts: Any, stats: Any, where: Any, pair: Any) -> list[int]:
        changed = []
        for i in sorted(where.get(pair, ())):
            word, before, at = words[i], list(pairwise(words[i])), 0
            while at < len(word) - 1:
                if (word[at], word[at + 1]) == pair:
                    word[at : at + 2] = [pair[0] + pair[1]]
                at += 1
            for each in before:
                stats[each] -= counts[i]
            for each in pairwise(word):
                stats[each] = stats.get(each, 0) + counts[i]
                where.setdefault(each, set()).add(i)
            where[pair].discard(i)
            changed += [i] * (list(pairwise(word)) != before or len(before) == 0)
        return changed

    answers = answers_of("merge_and_update", update, tmp_path)
    assert banked("merge_and_update").named(answers) == ["zero_entries_left"]


def test_a_mistake_of_ones_own_has_no_name(tmp_path: Any) -> None:
    """Half of a known mistake is another one; a wrong name would be worse than none."""
    right = reference_of("train_bpe").train_bpe

    def train(table: dict[str, int], rounds: int) -> list[tuple[str, str]]:
        learned: list[tuple[str, str]] = right(table, rounds)
        return learned[::-1] if len(table) > 1 else learned

    assert banked("train_bpe").named(answers_of("train_bpe", train, tmp_path)) is None


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("train_bpe", "tie_first_seen"),
        ("merge_and_update", "old_neighbour_booked"),
        ("merge_and_update", "result_in_order_of_words"),
        ("merge_and_update", "loops_over_all_words"),
    ],
)
def test_a_run_names_the_mistake(name: str, mistake: str) -> None:
    """A judged mistake is named in the report, and its counterexample explained."""
    options = Options(seed=3, timing=False, stop_at_first_failure=True)
    report = judge(catalog.find(name), f"mistake:{mistake}", options)
    assert report.diagnosis is not None
    assert report.diagnosis.id == mistake
    failed = next(v for v in report.verdicts if v.outcome not in (Outcome.PASS, None))
    assert failed.counterexample is not None
    assert bool(failed.counterexample.steps) is (failed.counterexample.yours is not None)


# --- explanation ----------------------------------------------------------------------


def explained(name: str, mistake: str, args: tuple[Any, ...]) -> list[Row]:
    """The rows shown for what a known mistake answers to a call."""
    kata = catalog.find(name)
    module = catalog.load_module(kata.mistakes, f"_mistakes_of_{name}")
    after = copy.deepcopy(args)
    value = getattr(module, mistake)(*after)
    rows: list[Row] = suite_of(name).explain(reference_of(name), args, Returned(value, after))
    return rows


TEA = {"tea": 6, "teas": 2, "eat": 5, "eats": 3, "seat": 4, "set": 3}


@pytest.mark.parametrize(
    ("mistake", "table", "num_merges", "rows"),
    [
        (
            "tie_first_seen",
            TEA,
            6,
            [
                ("rounds 1 to 4", "as due", ""),
                ("due", "(e, t)", "count 3"),
                ("yours", "(eat, s)", "count 3, a tie: the smaller pair goes first"),
                ("word × 3", "eat s", "holds (eat, s) once"),
                ("word × 3", "s e t", "holds (e, t) once"),
            ],
        ),
        (
            "counts_without_overlaps",
            {"bbba": 2},
            3,
            [
                ("due", "(b, b)", "count 4"),
                ("yours", "(b, a)", "count 2"),
                ("word × 2", "b b b a", "holds (b, b) twice, (b, a) once"),
            ],
        ),
        (
            "merged_pair_never_cleared",
            {"abc": 1},
            2,
            [
                ("round 1", "as due", ""),
                ("due", "(ab, c)", "count 1"),
                ("yours", "(a, b)", "count 0: round 1 merged it everywhere"),
                ("word × 1", "ab c", "holds (ab, c) once"),
            ],
        ),
        (
            "stops_at_count_one",
            {"a b\n": 1},
            3,
            [
                ("due", "(␣, b)", "count 1"),
                ("yours", "nothing", "you stop here"),
                ("word × 1", "a ␣ b \\n", "holds (␣, b) once"),
            ],
        ),
        (
            "merges_a_count_of_zero",
            {"bab": 1},
            9,
            [
                ("rounds 1 to 2", "as due", ""),
                ("due", "nothing", "no word has two symbols"),
                ("yours", "(b, a)", "count 0: no word holds it"),
            ],
        ),
    ],
)
def test_a_trainer_is_shown_the_first_round_that_differs(
    mistake: str, table: dict[str, int], num_merges: int, rows: list[Row]
) -> None:
    """Both candidates with their counts in that round, and the words that hold them."""
    assert explained("train_bpe", mistake, (table, num_merges)) == rows


def test_a_trainer_that_goes_on_too_long_is_told_how_many_were_asked_for() -> None:
    """The right merges, and one more than was wanted."""
    explain, reference = suite_of("train_bpe").explain, reference_of("train_bpe")
    assert explain(reference, (TEA, 1), Returned(reference.train_bpe(TEA, 2), (TEA, 1))) == [
        ("round 1", "as due", ""),
        ("due", "nothing", "1 merges were asked for"),
        ("yours", "(ea, t)", "count 12"),
        ("word × 5", "ea t", "holds (ea, t) once"),
        ("word × 3", "ea t s", "holds (ea, t) once"),
        ("word × 4", "s ea t", "holds (ea, t) once"),
    ]


def test_of_many_words_a_few_are_shown() -> None:
    """Eight rows are enough to see a round."""
    table = {"ab" + letter: 1 for letter in "cdefgh"} | {"b" + letter: 9 for letter in "xy"}
    rows = explained("train_bpe", "counts_unweighted", (table, 1))
    assert rows[:2] == [("due", "(b, x)", "count 9"), ("yours", "(a, b)", "count 6")]
    assert rows[-1] == ("…", "", "")
    assert len(rows) <= 8


def update_case(*words: str, pair: tuple[str, str] = AB, **knobs: Any) -> tuple[Any, ...]:
    state: tuple[Any, ...] = suite_of("merge_and_update").merge_state(words, pair, **knobs)
    return state


@pytest.mark.parametrize(
    ("mistake", "state", "rows"),
    [
        (
            "word_not_written_back",
            update_case("ba", "xab", stale=[(AB, 0)]),
            [("word 1", "x a b → x ab", "yours: as it was")],
        ),
        (
            "merges_from_the_right",
            update_case("aaa", pair=AA),
            [("word 0", "a a a → aa a", "yours: a aa")],
        ),
        (
            "stale_words_returned",
            update_case("ab", "ba", stale=[(AB, 1)]),
            [
                ("result", "[0]", "yours: [0, 1]"),
                ("word 1", "b a", "does not hold (a, b): a stale entry"),
            ],
        ),
        (
            "result_unsorted",
            update_case("c", "ab", *"defghi", "kab"),
            [("result", "[1, 8]", "yours: [8, 1]")],
        ),
        (
            "subtracted_once_per_word",
            update_case("aaa", "baa", pair=AA, counts=[2, 3]),
            [
                ("stats", "(a, a)", "due: no entry, yours: 2"),
                ("word 0", "a a a → aa a", "× 2: 2 places before, 0 after"),
                ("word 1", "b a a → b aa", "× 3: 1 place before, 0 after"),
            ],
        ),
        (
            "old_neighbour_booked",
            update_case("abab", "ba", counts=[2, 5]),
            [
                ("stats", "(b, a)", "due: 5, yours: 3"),
                ("word 0", "a b a b → ab ab", "× 2: 1 place before, 0 after"),
                ("word 1", "b a", "× 5: 1 place"),
                ("…", "3 more wrong keys in `stats`", ""),
            ],
        ),
        (
            "index_not_extended",
            update_case("aab", "aaba", pair=AA),
            [
                ("where", "(aa, b)", "your set lacks 1"),
                ("word 1", "a a b a → aa b a", "holds it now"),
            ],
        ),
        (
            "index_taken_out_too_soon",
            update_case("abxbx"),
            [
                ("where", "(b, x)", "your set lacks 0"),
                ("word 0", "a b x b x → ab x b x", "still holds it"),
            ],
        ),
        (
            "everything_indexed",
            update_case("abx", "ba"),
            [
                ("where", "(ab, x)", "your set gained 1, which `where[pair]` did not list"),
                ("word 1", "b a", ""),
            ],
        ),
    ],
)
def test_an_update_is_shown_the_first_wrong_entry(
    mistake: str, state: tuple[Any, ...], rows: list[Row]
) -> None:
    """The entry of `stats` or `where` with the words it comes from; before it, words and result."""
    assert explained("merge_and_update", mistake, state) == rows


@pytest.mark.parametrize("name", KATAS)
def test_nothing_is_said_about_a_right_answer(name: str) -> None:
    """An explanation of a right answer would mislead."""
    suite, reference = suite_of(name), reference_of(name)
    for args in suite.BANK:
        after = copy.deepcopy(args)
        result = Returned(getattr(reference, name)(*after), after)
        assert suite.explain(reference, args, result) == []


merges = st.lists(st.tuples(*[st.sampled_from(("a", "b", "ab", ""))] * 2), max_size=4)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(merges, st.sampled_from(range(12)))
def test_any_list_of_merges_can_be_explained(value: list[tuple[str, str]], which: int) -> None:
    """Whatever was returned, there are at most eight rows of three texts."""
    args = suite_of("train_bpe").BANK[which]
    rows = suite_of("train_bpe").explain(reference_of("train_bpe"), args, Returned(value, args))
    assert len(rows) <= 8
    assert all(isinstance(text, str) for row in rows for text in row)


symbols = st.lists(st.sampled_from(("a", "b", "ab", "")), max_size=4)
keys = st.tuples(*[st.sampled_from(("a", "b", "ab"))] * 2)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.sampled_from(range(20)),
    st.lists(st.integers(-2, 3), max_size=3),
    st.none() | symbols,
    st.none() | st.dictionaries(keys, st.integers(-2, 3), max_size=3),
    st.none() | st.dictionaries(keys, st.sets(st.integers(-2, 9), max_size=3), max_size=3),
)
def test_any_state_can_be_explained(
    which: int, value: list[int], word: Any, stats: Any, where: Any
) -> None:
    """Whatever became of the arguments, there are at most eight rows of three texts."""
    name = "merge_and_update"
    args = suite_of(name).BANK[which]
    after = list(copy.deepcopy(args))
    right = reference_of(name).merge_and_update(*after)
    if word is not None and after[0]:
        after[0][0] = word
    after[2] = after[2] if stats is None else stats
    after[3] = after[3] if where is None else where
    result = Returned(value if stats is None else right, tuple(after))
    rows = suite_of(name).explain(reference_of(name), args, result)
    assert len(rows) <= 8
    assert all(isinstance(text, str) for row in rows for text in row)
