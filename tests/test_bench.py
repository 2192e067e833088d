"""The timing statistic, its stopping rule and its workloads, on children with a scripted clock."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader import bench, catalog, pairs, submission, workloads
from grader.corpus import open_corpus
from grader.errors import GraderFault, UsageError
from grader.model import Call, CallResult, Raised, TimedOut
from grader.slots import Axis, Workload
from tests.seats import Child, World


def work(units: int = 1000, **options: Any) -> Workload:
    """One call a unit; the call's argument is the number of the unit."""

    def slot(start: int, size: int) -> list[Call]:
        return [Call("f", (k,)) for k in range(start, start + size)]

    return Workload("some", units, slot, lambda size: f"slots of {size}", **options)


def pair_of(
    yours: float | Callable[[int], float], reference: float, **options: Any
) -> tuple[World, Child, Child]:
    world = World()
    cost = yours if callable(yours) else lambda n: yours
    return (
        world,
        Child("yours", world, cost, **options),
        Child("reference", world, lambda n: reference),
    )


def measure(world: World, yours: Child, reference: Child, **options: Any) -> Any:
    given = options.pop("work", None) or work()
    return bench.measure(given, yours, reference, clock=world.clock, **options)


def test_the_ratio_is_of_cpu_times() -> None:
    """A function that takes three times the reference's time has the ratio 3, spread 0."""
    timing = measure(*pair_of(0.003, 0.001))
    assert timing.ratio == pytest.approx(3)
    assert timing.spread == pytest.approx(0)
    assert (timing.pairs, timing.note, timing.peak_mib) == (11, None, 12.5)


def test_work_done_around_the_run_counts() -> None:
    """What is computed while answers are packed is charged as if it had run."""
    world, yours, reference = pair_of(0.001, 0.001)
    yours.hidden = 0.05
    assert measure(world, yours, reference).ratio > 3


def test_yours_never_meets_the_same_arguments_twice() -> None:
    """Only the reference's runs are repeated, so a cache of answers gains nothing."""
    world, yours, reference = pair_of(0.0001, 0.00001)
    measure(world, yours, reference)
    assert {repeat for _, repeat, _ in yours.runs} == {1}
    assert max(repeat for _, repeat, _ in reference.runs) > 1


def test_seconds_are_those_of_one_pass() -> None:
    """Both times are for all units of the workload, however few of them ran."""
    timing = measure(*pair_of(0.003, 0.001), work=work(500))
    assert (timing.yours_s, timing.reference_s) == (pytest.approx(1.5), pytest.approx(0.5))


def test_the_median_shrugs_off_wild_slots() -> None:
    """Three slots of eleven at ten times the cost change nothing."""
    timing = measure(*pair_of(lambda n: 0.02 if n in (3, 5, 8) else 0.002, 0.001), budget_s=60)
    assert timing.ratio == pytest.approx(2)


def test_the_first_slot_only_warms_up() -> None:
    """The cost of the first calls is in no ratio."""
    timing = measure(*pair_of(lambda n: 0.01 if n == 0 else 0.001, 0.001))
    assert timing.ratio == pytest.approx(1)
    assert timing.spread == pytest.approx(0)


def test_sides_take_turns() -> None:
    """A B, B A: who begins alternates from pair to pair."""
    world, yours, reference = pair_of(0.001, 0.001)
    measure(world, yours, reference)
    turns = list(zip(world.order[::2], world.order[1::2], strict=True))
    assert turns[:4] == [("reference", "yours"), ("yours", "reference")] * 2


def test_both_sides_get_the_same_calls_and_no_two_slots_do() -> None:
    """A pair shares its slice of the corpus; the next pair has another."""
    world, yours, reference = pair_of(0.001, 0.001)
    seen: list[list[Call]] = []
    prepare = yours.prepare

    def note(calls: Sequence[Call], seconds: float = 30.0) -> None:
        seen.append(list(calls))
        prepare(calls, seconds)

    yours.prepare = note  # type: ignore[method-assign]
    measure(world, yours, reference)
    numbers = [call.args[0] for calls in seen for call in calls]
    assert numbers == list(range(len(numbers)))
    assert reference.calls == seen[-1]


def test_slots_are_long_enough_and_equally_long() -> None:
    """The student's side runs at least 5 ms, the reference is repeated to about the same."""
    world, yours, reference = pair_of(0.0004, 0.0001)
    measure(world, yours, reference)
    for (calls, _, _), (_, other, _) in list(zip(yours.runs, reference.runs, strict=True))[1:]:
        assert calls * 0.0004 >= 0.005
        assert calls * other * 0.0001 == pytest.approx(calls * 0.0004, rel=0.3)


def test_a_call_that_changes_its_arguments_runs_once() -> None:
    """Without repeats a slot is made long by more calls."""
    world, yours, reference = pair_of(0.0004, 0.0001)
    measure(world, yours, reference, work=work(repeatable=False))
    assert {repeat for _, repeat, _ in yours.runs + reference.runs} == {1}
    assert yours.runs[-1][0] * 0.0004 >= 0.005


def test_a_costly_slot_stays_small() -> None:
    """Where sending takes long, a slot is not made longer by more calls."""
    world, yours, reference = pair_of(0.0001, 0.0001, carry_s=0.05)
    measure(world, yours, reference, budget_s=60)
    assert yours.runs[-1][0] == 1


def test_noise_is_measured_longer_and_told() -> None:
    """Ratios that scatter get more than eleven pairs, and a spread over 5 % is reported."""
    scatter = itertools.cycle([0.001, 0.0014, 0.0018, 0.0022, 0.0026, 0.003, 0.0034])
    timing = measure(*pair_of(lambda n: next(scatter), 0.001), budget_s=60)
    assert timing.pairs == pairs.MOST_PAIRS
    assert timing.spread > pairs.STEADY


def test_the_budget_ends_it() -> None:
    """No pair begins that would not fit, and the few that did are called few."""
    world, yours, reference = pair_of(0.3, 0.001)
    timing = measure(world, yours, reference, budget_s=2.0)
    assert world.now <= 2.0
    assert 0 < timing.pairs < 11
    assert (
        timing.note
        == f"only {timing.pairs} runs of each fitted into the time, so the ratio is rough"
    )


def test_a_few_quick_pairs_run_although_the_time_is_up() -> None:
    """On a busy machine the cold first slot would else be all there is."""
    world, yours, reference = pair_of(lambda n: 0.01 if n == 0 else 0.002, 0.001, carry_s=1.0)
    timing = measure(world, yours, reference, budget_s=1.0)
    assert (timing.pairs, timing.ratio) == (3, pytest.approx(2))


def test_one_pair_is_better_than_none() -> None:
    """When only the warm-up fits it is the measurement, without a spread."""
    timing = measure(*pair_of(1.5, 0.001), budget_s=2.0)
    assert (timing.pairs, timing.spread) == (1, None)
    assert timing.ratio == pytest.approx(1500)


def test_wrong_answers_have_no_ratio() -> None:
    """A fast wrong answer is not timed against a right one."""
    timing = measure(*pair_of(0.001, 0.001, answer=lambda call: None))
    assert (timing.ratio, timing.yours_s) == (None, None)
    assert timing.note == "your answers differ from the reference's on this text"


def test_wrong_answers_later_on_are_seen_too() -> None:
    """Every slot is compared, not only the first."""
    timing = measure(*pair_of(0.001, 0.001, answer=lambda call: call.args[0] < 20 and call.args))
    assert timing.ratio is None


@pytest.mark.parametrize(
    ("result", "note"),
    [
        (TimedOut(2.0), "a part of this text took more than 2.0 s"),
        (Raised("ValueError", "no"), "ValueError was raised on this text"),
    ],
)
def test_a_run_that_ends_has_no_ratio(result: CallResult, note: str) -> None:
    """A time-out or an exception of the student's is told in words."""
    timing = measure(*pair_of(0.001, 0.001, ends={0: result}))
    assert (timing.ratio, timing.note) == (None, note)
    assert timing.reference_s == pytest.approx(1.0)


def test_a_late_time_out_keeps_what_was_measured() -> None:
    """The budget's end inside a slot does not throw the pairs before it away."""
    timing = measure(*pair_of(0.001, 0.001, ends={5: TimedOut(1.0)}))
    assert timing.pairs == 4
    assert timing.ratio == pytest.approx(1)


def test_the_students_runs_are_bounded_by_what_is_left() -> None:
    """Each step of the student's child has a deadline inside the budget."""
    world, yours, reference = pair_of(0.001, 0.001)
    measure(world, yours, reference, budget_s=2.0)
    limits = [limit for _, _, limit in yours.runs]
    assert max(limits) <= 2.0 + pairs.SLACK_S
    assert limits == sorted(limits, reverse=True)


def test_a_failing_reference_is_our_fault() -> None:
    """When the reference ends, the grader has failed, not the student."""
    world, yours, reference = pair_of(0.001, 0.001)
    reference.ends = {0: Raised("MemoryError", "")}
    with pytest.raises(GraderFault, match="The reference failed while it was timed"):
        measure(world, yours, reference)


def test_a_whole_workload_takes_the_largest_part_that_fits_twice() -> None:
    """A long call is enlarged once, to what the budget holds two pairs of."""
    world, yours, reference = pair_of(0.05, 0.05)
    timing = measure(world, yours, reference, work=work(100, whole=True), budget_s=3.0)
    assert [calls for calls, _, _ in yours.runs] == [1, 13, 13]
    assert timing.workload == "slots of 13"
    assert timing.yours_s == pytest.approx(13 * 0.05)
    assert timing.pairs == 2


def test_a_file_somebody_named_is_run_whole_whatever_it_takes() -> None:
    """A workload of one whole unit has no deadline, and its first pair counts."""
    world, yours, reference = pair_of(40.0, 20.0)
    timing = measure(world, yours, reference, work=work(1, whole=True), budget_s=2.0)
    assert (timing.pairs, timing.ratio) == (1, 2)
    assert yours.runs[0][2] > 1000


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [([2.0], None), ([1.0, 3.0], 0.5), ([1.0] * 10 + [100.0], 0.0), ([0.9, 1.0, 1.1] * 4, 0.1)],
)
def test_the_spread_is_that_of_the_median(ratios: list[float], expected: float | None) -> None:
    """Half the interval of the median over the median; one wild ratio does not widen it."""
    assert pairs.spread(ratios) == (None if expected is None else pytest.approx(expected))


# --- a naive version ----------------------------------------------------------------------


def with_naive(cost: float, **options: Any) -> tuple[Any, Child]:
    """A timing of 0.002 s beside 0.001 s and a naive version of that cost."""
    world, yours, reference = pair_of(0.002, 0.001)
    naive = Child("naive", world, lambda n: cost, **options)
    return bench.measure(work(), yours, reference, naive, budget_s=3.0, clock=world.clock), naive


def test_a_naive_version_runs_the_same_calls() -> None:
    """Its ratio is to the reference of the same pairs, and it stands beside the others."""
    timing, _ = with_naive(0.005)
    assert [side.name for side in timing.sides] == ["yours", "reference", "naive"]
    assert [side.ratio for side in timing.sides] == pytest.approx([2, 1, 5])


def test_a_slow_naive_version_takes_its_share_and_no_more() -> None:
    """Where a slot does not fit into what is left of it, it is left out; the pairs go on."""
    timing, naive = with_naive(0.2)
    assert (timing.pairs, len(naive.runs)) == (11, 1)
    assert timing.sides[2].ratio == pytest.approx(200)
    assert (timing.sides[2].steady_s, timing.sides[2].note) == (None, "run once")


def test_a_naive_version_that_takes_too_long_is_told() -> None:
    """It has no time then, and a reason."""
    timing, _ = with_naive(1.0, ends={0: TimedOut(0.4)})
    assert (timing.ratio, timing.sides[2].pass_s) == (pytest.approx(2), None)
    assert timing.sides[2].note == "a part of this text took more than 0.4 s"


def test_a_wrong_naive_version_is_our_fault() -> None:
    """Its answers are compared like those of a submission."""
    with pytest.raises(GraderFault, match="naive version's answers differ"):
        with_naive(0.001, answer=lambda call: None)


# --- what else is measured ----------------------------------------------------------------

AXES = tuple(
    Axis(name, 10, 10_000, lambda size, variant: [Call("f", (variant, size))])
    for name in ("first", "second")
)


@pytest.mark.parametrize(("thorough", "grown"), [(False, [1, 0, 0]), (True, [2, 2, 2])])
def test_growth_is_measured_after_the_pairs(thorough: bool, grown: list[int]) -> None:
    """Of yours in the first direction; of all in all directions when it is thorough."""
    world, yours, reference = pair_of(0.002, 0.001)
    naive = Child("naive", world, lambda n: 0.003)
    options: Any = {"budget_s": 30.0, "thorough": thorough, "clock": world.clock}
    timing = bench.measure(work(axes=AXES), yours, reference, naive, **options)
    assert [len(side.growths) for side in timing.sides] == grown
    assert timing.growth == pytest.approx(0, abs=1e-6)  # a call costs the same at any size


def test_the_first_calls_are_told_apart() -> None:
    """They cost ten times the later ones, and only the later ones make the ratio."""
    timing = measure(*pair_of(lambda n: 0.02 if n == 0 else 0.002, 0.001))
    assert (timing.sides[0].first_s, timing.sides[0].steady_s) == pytest.approx((0.02, 0.002))
    assert timing.ratio == pytest.approx(2)


def test_a_spread_over_five_percent_is_said() -> None:
    """In words, not only as a number."""
    scatter = itertools.cycle([0.001, 0.0014, 0.0018, 0.0022, 0.0026, 0.003, 0.0034])
    timing = measure(*pair_of(lambda n: next(scatter), 0.001), budget_s=60)
    assert "more than 5 %: take it as rough" in timing.note


# --- workloads ----------------------------------------------------------------------------

SMALL = ("pair_counts", "merge_pair", "train_bpe", "encode_bpe", "merge_and_update")


EMBEDDED = open_corpus("embedded")


@cache
def built(name: str) -> Workload:
    """The workload of a kata on the embedded corpus, made once."""
    make = workloads.find(catalog.find(name))
    assert make is not None
    return make(EMBEDDED)


@pytest.mark.parametrize("name", SMALL)
def test_references_run_their_workload(name: str) -> None:
    """Each call of the first unit fits the kata, and the reference has an answer."""
    function = getattr(catalog.reference_module(catalog.find(name)), name)
    calls = built(name).slot(0, 1)
    assert calls
    assert {call.function for call in calls} == {name}
    assert all(function(*call.args) is not None for call in calls)


@pytest.mark.parametrize("name", SMALL)
def test_units_differ_also_after_a_pass(name: str) -> None:
    """No unit repeats another, neither the next one nor the one a whole pass later."""
    work = built(name)
    first, second, later = (repr(work.slot(k, 1)) for k in (0, 1, work.units))
    assert first != second
    assert first != later


@pytest.mark.parametrize("name", SMALL)
def test_naive_versions_are_right(name: str) -> None:
    """A unit of the workload and a call along each direction have the reference's answers."""
    kata = catalog.find(name)
    path = catalog.naive(kata)
    assert path is not None
    naive = getattr(catalog.load_module(path, f"_naive_{name}"), name)
    reference = getattr(catalog.reference_module(kata), name)
    for make in (lambda: built(name).slot(0, 1), *(one_of(axis) for axis in built(name).axes)):
        answers = [[function(*call.args) for call in make()] for function in (naive, reference)]
        assert answers[0] == answers[1]


def one_of(axis: Axis) -> Callable[[], list[Call]]:
    return lambda: axis.calls(axis.least, 0)


def test_the_naive_trainer_is_right(tmp_path: Path) -> None:
    """The smallest file of the capstone's growth has the reference's merges."""
    kata = catalog.find("train_byte_bpe")
    path = catalog.naive(kata)
    assert path is not None
    naive = catalog.load_module(path, "_naive_capstone")
    (call,) = workloads.train_byte_bpe(EMBEDDED).axes[0].calls(8_000, 0)
    file = tmp_path / "corpus.txt"
    file.write_bytes(call.args[0])
    args = (str(file), *call.args[1:])
    assert naive.train_byte_bpe(*args) == catalog.reference_module(kata).train_byte_bpe(*args)


@pytest.mark.parametrize("name", [*SMALL, "train_byte_bpe"])
def test_directions_have_four_sizes_and_no_call_twice(name: str) -> None:
    """The embedded text is enough for a factor of 16, and variants differ."""
    work = workloads.train_byte_bpe(EMBEDDED) if name == "train_byte_bpe" else built(name)
    for axis in work.axes:
        assert axis.least << 4 <= axis.most
        small, other = (repr(axis.calls(axis.least, variant)) for variant in (0, 1))
        assert small != other


def test_each_stage_of_the_capstone_adds_one() -> None:
    """Files of nearly one size: a special token alone, a few words, the text, and its merges."""
    work = workloads.train_byte_bpe(EMBEDDED)
    assert work.stages is not None
    steps = dict(work.stages())
    assert list(steps) == ["read", "split", "count", "merge"]
    sizes = [len(call.args[0]) for call in steps.values()]
    assert max(sizes) - min(sizes) < 0.01 * max(sizes)
    assert steps["read"].args[0].replace(steps["read"].args[2][0].encode(), b"") == b""
    assert [call.args[1] for call in steps.values()] == [258, 258, 258, 1_000]


def test_a_state_is_merged_again_and_again() -> None:
    """The calls of a `merge_and_update` unit share one state; most of them find their pair."""
    calls = built("merge_and_update").slot(0, 1)
    assert len({id(call.args[0]) for call in calls}) == 1
    module = catalog.reference_module(catalog.find("merge_and_update"))
    changed = [module.merge_and_update(*call.args) for call in calls]
    assert sum(map(bool, changed)) > len(calls) / 2


def test_the_capstone_gets_parts_of_the_embedded_text() -> None:
    """Its parts are whole documents and make up the corpus; the words say how much ran."""
    work = workloads.train_byte_bpe(EMBEDDED)
    (whole,) = work.slot(0, work.units)
    assert len(whole.args[0]) == EMBEDDED.size
    assert whole.args[0].endswith(b"<|endoftext|>")
    assert work.describe(work.units) == "4.9 MB, to a vocab of 1,000"
    assert work.describe(1) == "110 kB of 4.9 MB, to a vocab of 1,000"


def test_the_capstone_gets_a_file_by_its_path(tmp_path: Path) -> None:
    """A file somebody named is not copied, whatever its size."""
    path = tmp_path / "some.txt"
    path.write_text("some text")
    work = workloads.train_byte_bpe(open_corpus(path))
    assert work.slot(3, 1)[0].args[0] == path.resolve()
    assert work.patient


@pytest.mark.parametrize("name", SMALL)
def test_a_tiny_file_is_too_short(name: str, tmp_path: Path) -> None:
    """One sentence says how much text is needed."""
    path = tmp_path / "tiny.txt"
    path.write_text("a b c")
    with pytest.raises(UsageError, match=r"too short to time on: it has .* are needed"):
        getattr(workloads, name)(open_corpus(path))


def test_a_kata_may_bring_its_own_workload(tmp_path: Path) -> None:
    """A suite's `workload` is used for a kata this package does not list; else there is none."""
    kata = catalog.find("merge_pair")
    suite = tmp_path / "test_other.py"
    suite.write_text("import strategies\n\ndef workload(corpus):\n    return corpus.name\n")
    make = workloads.find(replace(kata, name="other", suite=suite))
    assert make is not None
    assert make(EMBEDDED) == "embedded"
    suite.write_text("")
    assert workloads.find(replace(kata, name="other", suite=suite)) is None


def test_a_submission_is_timed_in_a_child_of_its_own() -> None:
    """End to end: the reference beside itself has answers, times and a ratio."""
    kata = catalog.find("merge_pair")
    timing = bench.time_kata(kata, submission.load(kata, "reference"), budget_s=1.0)
    assert timing is not None
    assert timing.corpus == "embedded"
    assert timing.ratio is not None
    assert timing.peak_mib


def test_timing_an_unknown_corpus_is_a_usage_error() -> None:
    """A bad `--corpus` is found before any child starts."""
    kata = catalog.find("merge_pair")
    with pytest.raises(UsageError, match="There is no corpus 'nowhere'"):
        bench.time_kata(kata, submission.load(kata, "reference"), corpus="nowhere")
