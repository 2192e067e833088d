"""The exponent of growth and the stages, on children with a scripted clock."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from grader import growth
from grader.model import Call, Growth, TimedOut
from grader.slots import Axis
from grader.stages import stages
from tests.seats import Child, World


def axis(least: int = 100, most: int = 10**9, **options: Any) -> Axis:
    """One call a variant; its arguments are the variant and the size."""
    return Axis("words", least, most, lambda size, k: [Call("f", (k, size))], **options)


def child(shape: Callable[[int], float], **options: Any) -> Child:
    return Child("yours", World(), options.pop("cost", lambda n: 1e-5), shape=shape, **options)


def grown(seat: Child, along: Axis | None = None, budget_s: float = 60.0) -> Growth:
    return growth.grow(seat, along or axis(), budget_s=budget_s, clock=seat.world.clock)


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (lambda n: 1.0, -0.01, 0.01),
        (lambda n: n, 0.99, 1.01),
        (lambda n: n * math.log(n), 1.05, 1.3),
        (lambda n: n * n, 1.99, 2.01),
    ],
    ids=["constant", "linear", "n log n", "quadratic"],
)
def test_the_exponent_is_that_of_the_cost(
    shape: Callable[[int], float], low: float, high: float
) -> None:
    """What costs n^2 is told as 2."""
    found = grown(child(shape))
    assert found.exponent is not None
    assert low <= found.exponent <= high
    assert len(found.sizes) >= growth.LEAST_SIZES
    assert all(b == 2 * a for a, b in zip(found.sizes, found.sizes[1:], strict=False))


def test_the_smallest_size_is_long_enough_to_measure() -> None:
    """Sizes whose calls are too short are passed over, as far as the corpus goes."""
    assert grown(child(lambda n: n / 1000)).sizes[0] == 51_200  # of 100, times 2^9
    assert grown(child(lambda n: n / 1000), axis(most=6_400)).sizes[0] == 400


def test_no_two_calls_are_alike() -> None:
    """A cache of answers gains nothing, on no size and in no round."""
    seat, seen = child(lambda n: n), list[tuple[Any, ...]]()
    prepare = seat.prepare

    def note(calls: Any, seconds: float = 30.0) -> None:
        seen.extend(call.args for call in calls)
        prepare(calls, seconds)

    seat.prepare = note  # type: ignore[method-assign]
    grown(seat)
    assert len({variant for variant, _ in seen}) == len(seen)


def test_a_slot_of_small_calls_holds_several() -> None:
    """Unless only one can be made at a time."""
    assert max(calls for calls, _, _ in grown_runs(axis())) > 1
    assert max(calls for calls, _, _ in grown_runs(axis(single=True))) == 1


def grown_runs(along: Axis) -> list[tuple[int, int, float]]:
    seat = child(lambda n: n)
    grown(seat, along)
    return seat.runs


def test_a_wild_round_does_not_move_the_exponent() -> None:
    """It is the median of the rounds, and the spread is told."""
    noisy = child(lambda n: n, cost=lambda n: 3e-5 if n in (4, 9) else 1e-5)
    found = grown(noisy)
    assert found.exponent == pytest.approx(1, abs=0.05)
    assert found.spread is not None


def test_too_little_time_for_four_sizes_gives_no_exponent() -> None:
    """What was measured is told, so that a reader sees why."""
    found = grown(child(lambda n: n * n), budget_s=0.8)
    assert found.exponent is None
    assert 0 < len(found.sizes) == len(found.seconds) < growth.LEAST_SIZES


def test_without_time_nothing_is_run() -> None:
    """Not even the smallest size."""
    seat = child(lambda n: n)
    assert grown(seat, budget_s=0.0).sizes == ()
    assert seat.runs == []


def test_a_function_that_fails_gives_no_exponent() -> None:
    """Not if it fails before the first round is done; after that, what was measured counts."""
    for run, expected in ((0, None), (3, None), (12, 1.0)):
        found = grown(child(lambda n: n, ends={run: TimedOut(1.0)}))
        assert found.exponent == (expected and pytest.approx(expected))


def steps(**sizes: int) -> list[tuple[str, Call]]:
    return [(name, Call("f", (size,))) for name, size in sizes.items()]


def test_a_stage_is_the_difference_of_two_calls() -> None:
    """A stage that seems to cost less than nothing costs nothing."""
    seat = child(lambda n: n, cost=lambda n: 0.001)
    asked = steps(read=1, split=5, count=4, merge=10)
    found = stages(seat, asked, budget_s=10.0, clock=seat.world.clock)
    assert {stage.name: round(stage.seconds, 6) for stage in found} == {
        "read": 0.001,
        "split": 0.004,
        "count": 0.0,
        "merge": 0.006,
    }


def test_no_stages_of_what_fails() -> None:
    """Nothing is told of a function that ends in one of them."""
    seat = child(lambda n: n, ends={1: TimedOut(1.0)})
    assert stages(seat, steps(read=1, split=2), budget_s=9.0, clock=seat.world.clock) == ()
