"""The shape of what a timing runs: slots of calls, and calls of growing size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grader.model import Call


@dataclass(frozen=True, slots=True)
class Axis:
    """A direction in which the input of a kata grows.

    `calls(size, variant)` makes what is timed as one call of that size; no two variants have
    the same arguments.
    """

    name: str  # what grows, in the plural: `words in the table`
    least: int
    most: int  # what the corpus has
    calls: Callable[[int, int], list[Call]]
    single: bool = False  # the calls of several variants cannot be made in one slot


@dataclass(frozen=True, slots=True)
class Workload:
    """The calls of a timing, cut into units of about a millisecond.

    `slot(start, size)` makes the calls of `size` units from unit `start` on and goes round
    after `units`. `describe(size)` says in words what slots of `size` units run.
    """

    corpus: str
    units: int  # of one pass
    slot: Callable[[int, int], list[Call]]
    describe: Callable[[int], str]
    repeatable: bool = True  # False: a call changes its arguments
    whole: bool = False  # a slot is one long call, as large as the budget allows
    axes: tuple[Axis, ...] = ()
    #: Calls that each do what the one before does and one stage more, by the stages' names.
    stages: Callable[[], tuple[tuple[str, Call], ...]] | None = None

    @property
    def patient(self) -> bool:
        """Whether a slot may take as long as it likes: a file somebody asked for."""
        return self.whole and self.units == 1
