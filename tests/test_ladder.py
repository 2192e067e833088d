"""The follow-up ladder: every interview kata has one, and its checks can fail."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import log

import pytest

from grader import catalog, submission
from grader.errors import CardError
from grader.interview import checks, inputs, ladder
from grader.model import Call, Kata, Returned, Rung, Submission, Timing
from tests.samples import submission as sample

KATAS = {kata.name: kata for kata in catalog.all_katas()}

RUNGS = [
    pytest.param(kata, rung, id=f"{kata.name}-{rung.id}")
    for kata in KATAS.values()
    for rung in kata.follow_ups
]
VARIANTS = [param for param in RUNGS if (param.values[1].check or "").startswith("variant:")]


def rung_of(name: str, which: str) -> Rung:
    return next(rung for rung in ladder.rungs(KATAS[name]) if rung.id == which)


def looked(name: str, which: str, source: Submission | str) -> ladder.RungResult:
    kata = KATAS[name]
    found = submission.load(kata, source) if isinstance(source, str) else source
    return ladder.check(kata, rung_of(name, which), found, seed=3)


def written(function: object, name: str) -> Submission:
    """A function of this file as a submission."""
    source = inspect.getsource(function).replace(function.__name__, name)  # type: ignore[arg-type,attr-defined]
    return sample(source, f"katas/{name}.py")


@pytest.mark.parametrize("kata", KATAS.values(), ids=list(KATAS))
def test_every_kata_has_a_ladder(kata: Kata) -> None:
    """At least three rungs that are checked, each of another kind, and some to talk about."""
    checked = [rung for rung in ladder.rungs(kata) if rung.check]
    assert len(checked) >= 3
    assert len({rung.check for rung in checked}) == len(checked)
    assert any(rung.check is None for rung in kata.follow_ups)


@pytest.mark.parametrize(("kata", "rung"), RUNGS)
def test_a_rung_names_something_that_exists(kata: Kata, rung: Rung) -> None:
    """Its check, its case, its known mistake, its input; and its texts are sentences."""
    assert rung.ask.endswith((".", "?"))
    assert all(point.endswith((".", "?")) for point in rung.points)
    kind, _, argument = (rung.check or "").partition(":")
    if kind == "variant":
        assert argument in [mistake.id for mistake in catalog.mistakes(kata)]
        assert inputs.small(kata, 1)
    if kind == "case":
        assert checks._has_cases(kata, argument.split(","))
    if kind == "growth":
        assert inputs.growing(kata, argument)(10)
    if kind in ("whole", "memory"):
        assert kata.name in inputs._WHOLE


def test_the_card_knows_the_kinds_of_checks() -> None:
    """What a card may name is what there is."""
    assert set(catalog.CHECKS) == set(checks.CHECKS)


@pytest.mark.parametrize(("kata", "rung"), VARIANTS)
def test_another_rule_needs_another_answer(
    kata: Kata, rung: Rung, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference fails a rung that asks for another rule; the function with it passes."""
    monkeypatch.setattr(inputs, "SMALL", 10)
    plain = ladder.check(kata, rung, submission.load(kata, "reference"), seed=3)
    assert plain.passed is False
    assert "still those of the first rule" in plain.text
    assert rung.check is not None
    name = rung.check.partition(":")[2]
    changed = ladder.check(kata, rung, submission.load(kata, f"mistake:{name}"), seed=3)
    assert changed.passed is True, changed.text


def test_a_wrong_variant_is_shown_where_it_is_wrong() -> None:
    """Neither the one rule nor the other: the call, and what is due."""
    result = looked("merge_pair", "from-the-right", "mistake:drops_the_last_symbol")
    assert result.passed is False
    assert "On merge_pair((" in result.text
    assert "with the other rule it is (" in result.text


def test_a_case_of_the_suite_is_run_alone() -> None:
    """Only the cases that the card names; one that does not hold is told with its law."""
    held = looked("encode_bpe", "one-letter", "reference")
    assert held.passed is True
    assert held.text.startswith("It holds: One letter, 100,000 times")
    kata = KATAS["pair_counts"]
    wrong = submission.load(kata, "mistake:once_per_word")
    rung = replace(kata.follow_ups[0], check="case:short_words,runs")
    failed = ladder.check(kata, rung, wrong, 1)
    assert failed.passed is False
    assert failed.text == "It does not hold: A run of n equal symbols has n - 1 equal pairs."


@dataclass
class Costing:
    """A child whose answers are right and whose CPU time follows a law."""

    cost: Callable[[int], float]
    sizes: list[int] = field(default_factory=list)

    def __enter__(self) -> Costing:
        return self

    def __exit__(self, *error: object) -> None:
        return

    def call(self, call: Call) -> Returned:
        self.sizes.append(len(call.args[0]))
        function = catalog.reference_module(KATAS["merge_pair"]).merge_pair
        return Returned(function(*call.args), call.args, self.cost(self.sizes[-1]))


@pytest.mark.parametrize(
    ("cost", "passed", "calls"),
    [
        (lambda n: n * 1e-6, True, 8),
        (lambda n: n * log(n) * 1e-6, True, 8),
        (lambda n: n * 1e-4, True, 5),  # long enough to be sure
        (lambda n: n**2 * 1e-9, False, 14),
        (lambda n: n**2 * 1e-7, False, 8),
        (lambda n: 2.0, False, 2),  # on the smallest of all
    ],
    ids=["n", "n log n", "slow n", "n^2", "slow n^2", "hopeless"],
)
def test_growth_tells_linear_from_quadratic(
    cost: Callable[[int], float], passed: bool, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By CPU time on sizes that double; what is too steep is measured again."""
    child = Costing(cost)
    monkeypatch.setattr(checks, "_host", lambda *args: child)
    result = looked("merge_pair", "long-word", "reference")
    assert result.passed is passed
    assert len(child.sizes) == calls


def test_a_growing_input_is_judged_as_well() -> None:
    """A wrong answer on it is named."""
    wrong = looked("merge_pair", "long-word", "mistake:merges_the_first_only")
    assert wrong.text == "The answer is wrong on an input of 750."


@pytest.mark.parametrize(
    ("ratios", "passed", "said"),
    [
        ([2.0], True, "2.0 times the reference's CPU time; 5 are allowed."),
        ([7.0, 2.5], True, "2.5 times"),
        ([7.0, 6.0], False, "6.0 times the reference's CPU time, measured twice"),
        ([None], False, "There is no ratio: your answers differ."),
    ],
)
def test_a_ratio_misses_its_bound_only_twice(
    ratios: list[float | None], passed: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One measurement above the bound may be the machine's fault."""
    left = list(ratios)

    def timed(*args: object, **options: object) -> Timing:
        note = "your answers differ"
        return Timing("embedded", "", 1.0, 1.0, left.pop(0), None, None, None, note=note)

    monkeypatch.setattr(checks.bench, "time_kata", timed)
    result = looked("merge_pair", "speed", "reference")
    assert result.passed is passed
    assert said in result.text
    assert not left


def hoards(word_counts, num_merges):  # type: ignore[no-untyped-def]
    """Right on the small table below, with much memory."""
    global kept
    kept = list(range(2_500_000))
    return [("a", "b")]


def test_memory_and_time_on_a_whole_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer is needed, and the ratio has to stay within the bound."""
    small = {"train_bpe": lambda: (({"ab": 3}, 1), "one word")}
    monkeypatch.setattr(inputs, "_WHOLE", small)
    assert looked("train_bpe", "five-megabytes", "reference").passed is True
    hoarder = looked("train_bpe", "memory", written(hoards, "train_bpe"))
    assert hoarder.passed is False
    assert "peak memory on one word, measured twice; 4 are allowed" in hoarder.text
    wrong = sample("def train_bpe(word_counts, num_merges):\n    return []\n")
    assert "not the reference's" in looked("train_bpe", "memory", wrong).text


def test_what_cannot_be_run_says_so() -> None:
    """The stub, a question to talk about, a file that raises."""
    kata = KATAS["pair_counts"]
    stub = Submission("katas/pair_counts.py", kata.stub.encode(), "0")
    assert "is the stub" in looked("pair_counts", "overlaps", stub).text
    assert looked("pair_counts", "processes", stub).passed is None
    broken = sample("def pair_counts(words):\n    raise ValueError('no')\n")
    assert "ValueError: no." in looked("pair_counts", "overlaps", broken).text
    assert "ValueError: no" in looked("pair_counts", "long-word", broken).text
    nothing = sample("1 / 0\n")
    assert looked("encode_bpe", "one-letter", nothing).passed is False


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("case:no_such", "the suite has no such case"),
        ("variant:no_such", "there is no such known mistake"),
        ("growth:no_such", "the kinds of growing input are long_word"),
        ("whole:3", "only train_bpe, train_byte_bpe have an input of the whole text"),
    ],
)
def test_a_card_that_names_nothing_is_named(check: str, said: str) -> None:
    """File, follow-up and remedy."""
    kata = KATAS["pair_counts"]
    rung = replace(kata.follow_ups[0], check=check)
    with pytest.raises(CardError, match=said) as caught:
        ladder.check(kata, rung, submission.load(kata, "reference"), 1)
    assert "pair_counts.toml: 'check' of follow-up 'overlaps'" in str(caught.value)
