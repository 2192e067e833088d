"""The session as a state machine: what may happen when, the clock, and that replay is all."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from grader.interview import plan, report
from grader.interview.ledger import Ledger
from grader.interview.session import TABLE, Kind, Refused, Session, State, allowed
from grader.render.formats import interview_json
from tests.interviews import START

SHA = {kind: kind * 64 for kind in "abc"}


@dataclass
class HandClock:
    """A clock that stands until it is moved."""

    seconds: float = 0.0
    changed_s: dict[str, float] = field(default_factory=dict)

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)

    def uptime(self) -> str | None:
        return f"testboot:{self.seconds:.1f}"

    def changed(self, path: Path) -> datetime:
        return START + timedelta(seconds=self.changed_s.get(path.name, 0.0))


#: The details of a version about which there is nothing to say.
NOTHING = dict.fromkeys(("counterexample", "diagnosis", "timing")) | {"failing": [], "stretch": []}


def event_data(session: Session, kind: Kind, sha: str = SHA["a"]) -> dict:
    """Facts that fit an event of that kind."""
    kata = session.plan.katas[0]
    taken = {name: {"sha256": sha, "basis": "as it was"} for name in session.plan.katas}
    verdict = {"outcome": "PASS", "passed": 2, "total": 2, "not_run": 0, "loads": True}
    asked = {"id": f"q{len(session.answered)}", "ask": "Why?"}
    data = {
        Kind.EDITED: {"kata": kata, "sha256": sha, "source": "x"},
        Kind.RAN: {"kata": kata, "sha256": sha, "outcome": "PASS", "passed": 1, "total": 1},
        Kind.SUBMITTED: {"kata": kata, "sha256": sha},
        Kind.JUDGED: {"kata": kata, "sha256": sha, **verdict},
        Kind.HINTED: {"kata": kata, "number": session.hints.get(kata, 0) + 1},
        Kind.ASKED: asked,
        Kind.ANSWERED: {**asked, "text": "so", "skipped": False, "points": []},
        Kind.CHECKED: {"id": "r", "kata": kata, "sha256": sha, "passed": True, "text": "holds"},
        Kind.FINISHED: {"taken": taken},
        Kind.RAN_OUT: {"taken": taken},
        Kind.EXAMINED: {"kata": kata, "sha256": sha, "final": True, **verdict, **NOTHING},
    }
    return data.get(kind, {})


def begun(name: str = "screen", *, strict: bool = False, seed: int = 3) -> dict:
    """The facts of a start."""
    settled = plan.settled(plan.load(name), seed)
    tables = plan.to_dict(settled) | {"strict": strict}
    stubs = dict.fromkeys(settled.katas, SHA["c"])
    return {"plan": tables, "stubs": stubs, "sources": {SHA["c"]: "stub"}}


class Interview(RuleBasedStateMachine):
    """Anything at any time, in a journal on the disk."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="interview-"))
        self.clock = HandClock()
        self.ledger = Ledger(self.folder / "one.jsonl")
        self.pauses = 0.0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def now(self) -> Session:
        return self.ledger.read().session

    @initialize(name=st.sampled_from(["screen", "onsite"]), strict=st.booleans())
    def start(self, name: str, strict: bool) -> None:
        with self.ledger.writing(self.clock) as writer:
            writer.add(Kind.STARTED, **begun(name, strict=strict))

    @rule(seconds=st.integers(0, 900))
    def wait(self, seconds: int) -> None:
        """The clock of the interview goes with the time of day, or stands still."""
        session = self.now()
        before = session.elapsed_s(self.clock.now())
        self.clock.seconds += seconds
        runs = session.state not in (State.PAUSED, State.OVER)
        gone = session.elapsed_s(self.clock.now()) - before
        assert gone == pytest.approx(seconds if runs else 0)

    @rule(kind=st.sampled_from(sorted(Kind)), sha=st.sampled_from("ab"))
    def happen(self, kind: Kind, sha: str) -> None:
        """What is allowed happens and goes where the table says; the rest changes nothing."""
        before = self.now()
        may = kind in allowed(before)
        assert not may or kind in TABLE[before.state]
        data = self.ledger.path.read_bytes()
        with self.ledger.writing(self.clock) as writer:
            facts = event_data(before, kind, SHA[sha])
            if not may:
                with pytest.raises(Refused, match=r"\.$"):
                    writer.add(kind, **facts)
                assert self.ledger.path.read_bytes() == data
                return
            after = writer.add(kind, **facts)
        target = TABLE[before.state][kind]
        expected = {"same": before.state, "stage": after.now.kind}.get(target, target)
        assert after.state == expected
        assert after == self.now()
        assert after.stage == before.stage + (kind is Kind.MOVED)

    @precondition(lambda self: self.now().state is State.OVER)
    @rule()
    def stay_over(self) -> None:
        """Nothing opens an interview again."""
        for kind in allowed(self.now()):
            assert TABLE[State.OVER][kind] == "same"

    @invariant()
    def the_clock_adds_up(self) -> None:
        session = self.now()
        if session.started is None:
            return
        moment = self.clock.now()
        elapsed, left = session.elapsed_s(moment), session.left_s(moment)
        assert elapsed + left == pytest.approx(session.plan.seconds)
        assert session.paused_s >= 0
        if session.state in (State.TALK, State.CODE, State.LADDER):
            deadline = (session.deadline() - moment).total_seconds()
            assert deadline == pytest.approx(left)

    @invariant()
    def a_strict_interview_never_rests(self) -> None:
        session = self.now()
        assert not (session.plan.strict and (session.paused_s or session.paused_at))

    @invariant()
    def there_is_a_report(self) -> None:
        """Its stages add up to the time that was spent, and its rows are in order."""
        read = self.ledger.read() if self.ledger.path.exists() else None
        if read is None or not read.events:
            return
        sheet = report.build(read)
        assert sum(stage.spent_s or 0.0 for stage in sheet.stages) == pytest.approx(sheet.spent_s)
        times = [moment.at_s for moment in sheet.timeline]
        assert times == sorted(times)
        got, most = sheet.total
        assert 0 <= got <= most
        assert json.loads(interview_json.render(sheet))["seed"] == 3

    @invariant()
    def the_journal_is_whole(self) -> None:
        assert not self.ledger.path.exists() or self.ledger.read().findings == ()


TestInterview = Interview.TestCase
TestInterview.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)


def test_the_table_knows_every_state_and_every_event() -> None:
    """Each state has a row, and each event a place in one."""
    assert set(TABLE) == set(State)
    assert {kind for row in TABLE.values() for kind in row} == set(Kind)
    states = {target for row in TABLE.values() for target in row.values()}
    assert states <= {*State, "same", "stage"}


@pytest.mark.parametrize(
    ("state", "kind", "told"),
    [
        (State.PAUSED, Kind.SUBMITTED, "is paused; `kata interview resume`"),
        (State.TALK, Kind.HINTED, "it comes with 'Write it', and `kata interview next`"),
        (State.OVER, Kind.RAN, "is over, so there is no run; `kata interview report`"),
        (State.TALK, Kind.RESUMED, "is not paused"),
    ],
)
def test_a_refusal_says_what_to_do(tmp_path: Path, state: State, kind: Kind, told: str) -> None:
    """In the words of the command line."""
    with Ledger(tmp_path / "x.jsonl").writing(HandClock()) as writer:
        session = writer.add(Kind.STARTED, **begun())
        if state is State.PAUSED:
            writer.add(Kind.PAUSED)
        if state is State.OVER:
            writer.add(Kind.FINISHED, **event_data(session, Kind.FINISHED))
        with pytest.raises(Refused, match=told):
            writer.add(kind, **event_data(session, kind))
