"""The pytest plugin: binds a solution to a hidden suite and turns each test into a Verdict.

A suite is an ordinary pytest file. Its fixtures: `solution`, the function under test
behind whatever engine runs it; `twin`, the same function under another PYTHONHASHSEED;
`reference`, the reference module. `pytest tests/hidden` judges the references,
`--solution katas` a student's folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Generator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import providers

from grader import catalog, submission
from grader.expect import UNSET, Mismatch, Stopped, StudentRaised
from grader.findings import describe, result_outcome
from grader.model import (
    Call,
    CallResult,
    Counterexample,
    Kata,
    Mistyped,
    Outcome,
    Returned,
    Tier,
    Verdict,
)
from grader.sandbox import affinity
from grader.sandbox.host import Host, hash_seed
from grader.solution import Engine, InProcess, Log, Solution, call_source

Row = tuple[str, str, str]

MOST_SHOWN = 100_000
#: How many times a card's `examples` each law draws.
PROFILES = {"dev": 0.5, "grade": 1.0, "nightly": 20.0}

PHASES = (Phase.explicit, Phase.generate, Phase.shrink)

hypothesis.settings.register_profile(
    "kata",
    database=None,  # a verdict depends on the seed and on nothing that was kept
    deadline=None,
    report_multiple_bugs=False,
    print_blob=False,
    phases=PHASES,
    suppress_health_check=list(HealthCheck),
)


class SuitePlugin:
    """Fixtures, seeds and verdicts for the hidden suites of one run."""

    def __init__(
        self,
        seat: Callable[[Kata, int], Engine],
        *,
        seed: int,
        profile: str = "grade",
        shrink: bool = True,
        on_verdict: Callable[[Verdict], None] = lambda verdict: None,
        skip: Callable[[Tier], bool] = lambda tier: False,
    ) -> None:
        """`seat(kata, n)` gives the engine of child n (0 or 1); `skip(tier)` drops a case."""
        self._seat, self._seed, self._profile = seat, seed, profile
        self._phases = PHASES if shrink else PHASES[:-1]
        self._on_verdict, self._skip = on_verdict, skip
        self._log = Log()
        self.verdicts: list[Verdict] = []
        self.faults: list[str] = []  # tracebacks of what went wrong on our side
        self.failing: list[Call] = []  # the last call of each failing case
        self.module: ModuleType | None = None  # the suite, once a case of it has run
        self.interrupted = False  # by the user, not by pytest

    def pytest_configure(self, config: pytest.Config) -> None:
        for tier in Tier:
            config.addinivalue_line("markers", f"{tier}: a case of that tier (see Tier)")

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.interrupted = excinfo.type is KeyboardInterrupt

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.faults.append(str(report.longrepr))

    def player(self, kata: Kata, number: int) -> Solution:
        """The function under test in child `number`, with the log of this run."""
        return Solution(kata, self._seat(kata, number), self._log)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if isinstance(item, pytest.Function) and _is_case(item) and _is_property(item):
                examples = _kata_of(item.path).examples * PROFILES[self._profile]
                # Set, not decorated: a second run in this process meets the same function.
                item.obj._hypothesis_internal_use_settings = hypothesis.settings(
                    hypothesis.settings.get_profile("kata"),
                    max_examples=max(1, round(examples)),
                    phases=self._phases,
                )
                hypothesis.seed(self._seed_of(item.name))(item.obj)

    def _seed_of(self, name: str) -> int:
        digest = hashlib.sha256(f"{self._seed} {name}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if isinstance(item, pytest.Function) and _is_case(item):
            self.module = item.module
            self._log.clear(getattr(item.module, "inputs", None))
            if self._skip(_tier(item)):
                pytest.skip("not run")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        ended = call.when == "call" or (call.when == "setup" and call.excinfo)
        if ended and isinstance(item, pytest.Function) and _is_case(item):
            verdict = self._judge(item, call)
            self.verdicts.append(verdict)
            self._on_verdict(verdict)
            if verdict.counterexample:
                report.longrepr = _as_text(verdict)
        return report

    def _judge(self, item: pytest.Function, call: pytest.CallInfo[None]) -> Verdict:
        error = call.excinfo.value if call.excinfo else None
        outcome = _outcome(error)
        if self._log.last and outcome not in (Outcome.PASS, Outcome.BROKEN, None):
            self.failing.append(self._log.last[0])
        if outcome is Outcome.BROKEN and error is not None:
            self.faults.append("".join(traceback.format_exception(error)))
        return Verdict(
            id=item.name.removeprefix("test_"),
            title=(item.obj.__doc__ or item.name).strip().partition("\n")[0],
            tier=_tier(item),
            outcome=outcome,
            inputs=self._log.inputs,
            counterexample=self._counterexample(item, error) if error else None,
            seconds=call.duration,
        )

    def _counterexample(self, item: pytest.Function, error: BaseException) -> Counterexample | None:
        if self._log.last is None or _outcome(error) in (None, Outcome.BROKEN):
            return None
        call, result = self._log.last
        yours, expected, note = UNSET, UNSET, None
        shown = result.shown if isinstance(result, Mistyped) else None
        if isinstance(error, Mismatch):
            yours, expected, note = error.yours, error.expected, error.note
        elif isinstance(error, Flaky):
            note = "the same call gave different answers when it was repeated"
        else:
            note = describe(result)
        return Counterexample(
            call=call_source(_kata_of(item.path), call),
            yours=shown if yours is UNSET else literal(yours),
            expected=None if expected is UNSET else literal(expected),
            note=note,
            prints=getattr(result, "prints", ""),
            line=getattr(result, "line", None),
            line_text=getattr(result, "text", None),
            steps=_steps(item, call, result),
        )


def literal(value: object) -> str:
    """A value as Python; a text without end is no help, and is cut."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"


def _steps(item: pytest.Function, call: Call, result: CallResult) -> tuple[Row, ...]:
    """The suite's own explanation of a wrong value, where it has one.

    A fault in an explanation is ours and costs the explanation, never the verdict.
    """
    explain = getattr(item.module, "explain", None)
    if explain is None or not isinstance(result, Returned):
        return ()
    try:
        reference = catalog.reference_module(_kata_of(item.path))
        return tuple((str(a), str(b), str(c)) for a, b, c in explain(reference, call.args, result))
    except Exception:
        if os.environ.get("KATA_DEBUG") == "1":
            traceback.print_exc()
        return ()


def _outcome(error: BaseException | None) -> Outcome | None:
    """The outcome an exception of a case stands for; None for a case that was not run."""
    if error is None:
        return Outcome.PASS
    if isinstance(error, pytest.skip.Exception):
        return None
    if isinstance(error, Mismatch | Flaky):
        return Outcome.WRONG
    if isinstance(error, StudentRaised):
        return Outcome.RAISED
    return result_outcome(error.result) if isinstance(error, Stopped) else Outcome.BROKEN


def _tier(item: pytest.Item) -> Tier:
    return next((tier for tier in Tier if item.get_closest_marker(tier.value)), Tier.LAW)


def _is_case(item: pytest.Item) -> bool:
    """Whether a test is a case of a hidden suite."""
    return item.path.parent.name == "hidden"


def _is_property(item: pytest.Function) -> bool:
    return hasattr(item.obj, "hypothesis")


@cache
def _kata_of(path: Path) -> Kata:
    return catalog.find(path.stem.removeprefix("test_"))


def _as_text(verdict: Verdict) -> str:
    shown = verdict.counterexample
    assert shown is not None
    lines = [f"{verdict.outcome}: {verdict.title}", "", f"    {shown.call}", ""]
    for label, value in (("yours", shown.yours), ("expected", shown.expected), ("", shown.note)):
        if value is not None:
            lines.append(f"    {label:10}{value}")
    return "\n".join(lines)


def prepare_hypothesis() -> None:
    """Make draws depend on the seed alone.

    Hypothesis mixes in constants it finds in whatever local modules happen to be loaded;
    those differ between a checkout and an installation, and so would counterexamples.
    """
    if hasattr(providers, "_get_local_constants"):
        nothing = providers._local_constants
        providers._get_local_constants = lambda: nothing


def prepare_suites() -> None:
    """Make `import strategies` mean ours, wherever pytest was started."""
    if "strategies" not in sys.modules:
        path = catalog.places().suites / "strategies.py"
        sys.modules["strategies"] = catalog.load_module(path, "strategies")


@pytest.fixture(scope="module")
def kata(request: pytest.FixtureRequest) -> Kata:
    return _kata_of(request.path)


@pytest.fixture(scope="module")
def solution(kata: Kata, request: pytest.FixtureRequest) -> Generator[Solution, None, None]:
    with affinity.beside(kata.policy):
        yield _suite_of(request.config).player(kata, 0)


@pytest.fixture(scope="module")
def twin(kata: Kata, request: pytest.FixtureRequest) -> Solution:
    return _suite_of(request.config).player(kata, 1)


@pytest.fixture(scope="module")
def reference(kata: Kata) -> ModuleType:
    return catalog.reference_module(kata)


def _suite_of(config: pytest.Config) -> SuitePlugin:
    return next(p for p in config.pluginmanager.get_plugins() if isinstance(p, SuitePlugin))


# --- plain pytest: `pytest tests/hidden [--solution …]` -------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("kata", "katas")
    group.addoption("--solution", default="reference", help="reference, a file, or a folder")
    group.addoption("--engine", default="sandbox", choices=["sandbox", "in-process"])
    group.addoption("--kata-seed", type=int, default=0, help="seed of the generated inputs")
    group.addoption("--kata-profile", default="dev", choices=list(PROFILES))


def pytest_configure(config: pytest.Config) -> None:
    prepare_hypothesis()
    prepare_suites()
    if any(isinstance(p, SuitePlugin) for p in config.pluginmanager.get_plugins()):
        return  # the judge brought its own
    seats = ExitStack()
    config.add_cleanup(seats.close)
    suite = SuitePlugin(
        _seats(config.getoption("--engine"), config.getoption("--solution"), seats),
        seed=config.getoption("--kata-seed"),
        profile=config.getoption("--kata-profile"),
    )
    config.pluginmanager.register(suite, "kata-suite")


def _seats(engine: str, solution: str, stack: ExitStack) -> Callable[[Kata, int], Engine]:
    def in_process(kata: Kata, seat: int) -> Engine:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return InProcess(kata, _function(kata, solution), folder)

    def sandboxed(kata: Kata, seat: int) -> Engine:
        found = submission.load(kata, solution)
        host = stack.enter_context(Host(kata, found, hash_seed=hash_seed(0, seat)))
        host.load()  # a problem shows again at the first call, which starts another child
        return host

    return in_process if engine == "in-process" else sandboxed


def _function(kata: Kata, solution: str) -> Callable[..., Any]:
    path, _, name = solution.partition(":")
    if path == "reference":
        file = kata.reference
    elif path == "mistake":
        file = kata.mistakes
    else:
        file = Path(path) / f"{kata.name}.py" if Path(path).is_dir() else Path(path)
    module = catalog.load_module(file, f"_solution_{kata.name}")
    function: Callable[..., Any] = getattr(module, name or kata.name)
    return function
