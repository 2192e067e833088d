"""What the parts of a call cost, told apart from outside: calls that each do one part more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from grader.model import Call, Stage
from grader.pairs import SLACK_S, Seat
from grader.sandbox.host import Ended

MOST_ROUNDS = 5


def stages(
    seat: Seat,
    steps: Sequence[tuple[str, Call]],
    *,
    budget_s: float,
    clock: Callable[[], float],
) -> tuple[Stage, ...]:
    """CPU seconds of each stage; none when the time or the function does not allow it.

    `steps`: a call for each stage, that does what the call before it did and this stage. What
    a stage costs is the difference of the two, medians over a few rounds; never below zero.
    """
    deadline, rows = clock() + budget_s, list[list[float]]()
    took_s = 0.0
    while len(rows) < MOST_ROUNDS and took_s <= deadline - clock():
        begin = clock()
        try:
            rows.append([_seconds(seat, call, deadline - clock()) for _, call in steps])
        except Ended:
            break
        took_s = clock() - begin
    if not rows:
        return ()
    totals = [0.0, *(median(column) for column in zip(*rows, strict=True))]
    costs = [max(after - before, 0.0) for before, after in pairwise(totals)]
    return tuple(Stage(name, cost) for (name, _), cost in zip(steps, costs, strict=True))


def _seconds(seat: Seat, call: Call, left_s: float) -> float:
    limit = max(left_s, 0.0) + SLACK_S
    seat.prepare([call], limit)
    return seat.run(1, limit)
