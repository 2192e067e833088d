"""Children with a scripted clock, for tests of what times them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.model import Call, CallResult
from grader.sandbox.host import Ended


@dataclass
class World:
    """Wall-clock time, and who ran in which order."""

    now: float = 0.0
    order: list[str] = field(default_factory=list)

    def clock(self) -> float:
        return self.now


@dataclass
class Child:
    """A child that answers its calls' arguments and takes `cost(n)` seconds for its n-th run."""

    name: str
    world: World
    cost: Callable[[int], float]  # of one call
    answer: Callable[[Call], Any] = lambda call: call.args
    carry_s: float = 0.001
    ends: dict[int, CallResult] = field(default_factory=dict)  # in its n-th run
    calls: list[Call] = field(default_factory=list)
    runs: list[tuple[int, int, float]] = field(default_factory=list)  # calls, repeat, limit
    used: float = 0.0
    hidden: float = 0.0  # CPU seconds of work done while it is fetched

    #: What a call costs by its last argument, times `cost`; the same for all without it.
    shape: Callable[[int], float] | None = None

    def cost_of(self, n: int, call: Call) -> float:
        return self.cost(n) * (self.shape(call.args[-1]) if self.shape else 1.0)

    def prepare(self, calls: Sequence[Call], seconds: float = 30.0) -> None:
        self.world.now += self.carry_s
        self.calls = list(calls)

    def run(self, repeat: int = 1, seconds: float = 30.0) -> float:
        self.world.order.append(self.name)
        n = len(self.runs)
        self.runs.append((len(self.calls), repeat, seconds))
        if n in self.ends:
            self.world.now += seconds
            raise Ended(self.ends[n])
        spent = sum(self.cost_of(n, call) for call in self.calls) * repeat
        self.world.now += spent
        self.used += spent
        return spent

    def fetch(self, seconds: float = 30.0) -> list[Any]:
        self.world.now += self.carry_s
        self.used += self.hidden
        return [self.answer(call) for call in self.calls]

    def cpu_seconds(self) -> float:
        return self.used

    def peak_mib(self) -> float:
        return 12.5
