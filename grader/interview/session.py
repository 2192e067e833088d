"""The interview as a state machine: a table of what may happen when, and what it changes.

No files and no clock in here: an event brings its time, and a question about time is
asked with one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from grader.errors import UsageError
from grader.interview.plan import Plan, Stage, from_dict


class State(StrEnum):
    """What an interview is doing. TALK, CODE and LADDER are the kinds of its stages."""

    NEW = "new"
    TALK = "talk"
    CODE = "code"
    LADDER = "ladder"
    PAUSED = "paused"
    OVER = "over"


class Kind(StrEnum):
    """What can happen."""

    STARTED = "started"  # plan, katas and how they were begun
    EDITED = "edited"  # a file was found changed
    RAN = "ran"  # the visible examples, with their outcome
    SUBMITTED = "submitted"  # the hidden suite was asked for
    JUDGED = "judged"  # what it said
    HINTED = "hinted"
    ASKED = "asked"  # a question or a rung was put
    ANSWERED = "answered"
    CHECKED = "checked"  # a rung was put to the judge
    PAUSED = "paused"
    RESUMED = "resumed"
    MOVED = "moved"  # to the next stage
    FINISHED = "finished"  # by the candidate
    RAN_OUT = "ran_out"  # by the clock
    EXAMINED = "examined"  # a version in detail, afterwards
    MARKED = "marked"  # by the interviewer


#: Instead of a state: stay, or be what the current stage is.
SAME, STAGE = "same", "stage"

_ALWAYS = {Kind.EDITED: SAME, Kind.JUDGED: SAME, Kind.FINISHED: State.OVER}
_RUNNING = _ALWAYS | {Kind.PAUSED: State.PAUSED, Kind.MOVED: STAGE, Kind.RAN_OUT: State.OVER}
_WRITING = {Kind.RAN: SAME, Kind.SUBMITTED: SAME, Kind.HINTED: SAME}
_TALKING = {Kind.ASKED: SAME, Kind.ANSWERED: SAME}

TABLE: Mapping[State, Mapping[Kind, str]] = {
    State.NEW: {Kind.STARTED: STAGE},
    State.TALK: _RUNNING | _TALKING,
    State.CODE: _RUNNING | _WRITING,
    State.LADDER: _RUNNING | _WRITING | _TALKING | {Kind.CHECKED: SAME},
    State.PAUSED: _ALWAYS | {Kind.RESUMED: STAGE},
    State.OVER: {Kind.JUDGED: SAME, Kind.EXAMINED: SAME, Kind.MARKED: SAME},
}

#: What a candidate does that the table may refuse, as they type it.
WORDS = {
    Kind.RAN: "run",
    Kind.SUBMITTED: "submit",
    Kind.HINTED: "hint",
    Kind.ASKED: "answer",
    Kind.ANSWERED: "answer",
    Kind.CHECKED: "submit",
    Kind.PAUSED: "pause",
    Kind.RESUMED: "resume",
    Kind.MOVED: "next",
    Kind.FINISHED: "finish",
}


class Refused(UsageError):
    """The interview does not allow that now; the sentence says what it does allow."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the journal."""

    number: int  # 0 for the first
    at: datetime  # UTC; never before the event in front of it
    kind: Kind
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Session:
    """Where an interview stands. Made by `replay`, never changed."""

    state: State = State.NEW
    plan: Plan = field(default_factory=lambda: Plan("", 0, ()))
    stage: int = 0
    started: datetime | None = None
    at: datetime | None = None  # of the last event
    entered_s: float = 0.0  # seconds on the clock when the stage began
    paused_at: datetime | None = None
    paused_s: float = 0.0  # of all pauses that are over
    ended: datetime | None = None
    taken: Mapping[str, str | None] = field(default_factory=dict)  # kata -> hash, at the end
    files: Mapping[str, str | None] = field(default_factory=dict)  # kata -> hash of its file
    pending: Mapping[str, str] = field(default_factory=dict)  # kata -> hash, not judged yet
    verdicts: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    submits: Mapping[str, int] = field(default_factory=dict)
    hints: Mapping[str, int] = field(default_factory=dict)
    asked: tuple[tuple[int, str], ...] = ()  # stage and id, in order
    answered: tuple[tuple[int, str], ...] = ()
    examined: frozenset[tuple[str, str]] = frozenset()  # kata and hash

    @property
    def now(self) -> Stage:
        """The current stage."""
        return self.plan.stages[self.stage]

    @property
    def kata(self) -> str | None:
        """The kata of the current stage."""
        return self.plan.kata_of(self.stage)

    @property
    def is_last(self) -> bool:
        return self.stage + 1 == len(self.plan.stages)

    @property
    def question(self) -> str | None:
        """The question or rung that was put in this stage and not answered yet."""
        waiting = [q for q in self.asked if q not in self.answered and q[0] == self.stage]
        return waiting[-1][1] if waiting else None

    def verdict(self, kata: str) -> Mapping[str, Any] | None:
        """What the hidden suite said of the file as it was last seen; None if not asked."""
        return self.verdicts.get((kata, self.files.get(kata) or ""))

    def passed(self, kata: str) -> bool:
        """Whether any version of a kata has passed."""
        return any(k == kata and _is_pass(v) for (k, _), v in self.verdicts.items())

    def counts(self, kata: str) -> str | None:
        """The version a kata is marked by: the last that passed, else what was taken.

        A follow-up may ask for another rule, so the file at the end need not be it.
        """
        passed = [sha for (k, sha), v in self.verdicts.items() if k == kata and _is_pass(v)]
        return passed[-1] if passed else self.taken.get(kata)

    def elapsed_s(self, now: datetime) -> float:
        """Seconds on the interview's clock, which stands still in a pause and at the end."""
        if self.started is None:
            return 0.0
        until = self.ended or self.paused_at or max(now, self.at or now)
        return (until - self.started).total_seconds() - self.paused_s

    def left_s(self, now: datetime) -> float:
        """Seconds to the deadline; 0 or less is over."""
        return self.plan.seconds - self.elapsed_s(now)

    def stage_left_s(self, now: datetime) -> float:
        """Seconds left of the share of this stage; negative beyond it."""
        return self.plan.share_s(self.stage) - (self.elapsed_s(now) - self.entered_s)

    def deadline(self) -> datetime:
        """When the time is up, if there is no further pause."""
        assert self.started is not None
        return self.started + timedelta(seconds=self.plan.seconds + self.paused_s)


def allowed(session: Session) -> tuple[Kind, ...]:
    """What may happen now, in the order of `Kind`."""
    return tuple(kind for kind in Kind if _refusal(session, kind) is None)


def check(session: Session, kind: Kind) -> None:
    """Raise `Refused` when that may not happen now."""
    if (sentence := _refusal(session, kind)) is not None:
        raise Refused(sentence)


def after(session: Session, event: Event) -> Session:
    """The session once that has happened. Raises `Refused`."""
    check(session, event.kind)
    changed = _EFFECTS.get(event.kind, _nothing)(session, event)
    target = TABLE[session.state][event.kind]
    if target == STAGE:
        state = State(changed.now.kind)
    else:
        state = session.state if target == SAME else State(target)
    return replace(changed, state=state, at=event.at)


def _refusal(session: Session, kind: Kind) -> str | None:
    if kind not in TABLE[session.state]:
        return _elsewhere(session, kind)
    if kind is Kind.PAUSED and session.plan.strict:
        return "A strict interview has no pause; the clock goes on."
    if kind is Kind.MOVED and session.is_last:
        return "This is the last stage; `kata interview finish` ends the interview."
    return None


def _elsewhere(session: Session, kind: Kind) -> str:
    word = WORDS.get(kind, kind.value)
    if session.state is State.OVER:
        return f"This interview is over, so there is no {word}; `kata interview report` shows it."
    if session.state is State.PAUSED:
        return f"The interview is paused; `kata interview resume` goes on, then {word}."
    if kind is Kind.RESUMED:
        return "The interview is not paused; it goes on."
    later = [
        s.title for s in session.plan.stages[session.stage + 1 :] if kind in TABLE[State(s.kind)]
    ]
    instead = "`kata interview` shows what there is."
    if later:
        instead = f"it comes with {later[0]!r}, and `kata interview next` goes on."
    return f"There is no {word} in the stage {session.now.title!r}; {instead}"


def _is_pass(verdict: Mapping[str, Any]) -> bool:
    return bool(verdict["outcome"] == "PASS")


# --- what an event changes ---------------------------------------------------------------


def _nothing(session: Session, event: Event) -> Session:
    return session


def _started(session: Session, event: Event) -> Session:
    plan = from_dict(event.data["plan"], "the journal")
    files = {kata: event.data["stubs"].get(kata) for kata in plan.katas}
    return replace(session, plan=plan, started=event.at, files=files)


def _edited(session: Session, event: Event) -> Session:
    return replace(session, files={**session.files, event.data["kata"]: event.data["sha256"]})


def _submitted(session: Session, event: Event) -> Session:
    kata = event.data["kata"]
    return replace(
        session,
        pending={**session.pending, kata: event.data["sha256"]},
        submits={**session.submits, kata: session.submits.get(kata, 0) + 1},
    )


def _judged(session: Session, event: Event) -> Session:
    kata, sha = event.data["kata"], event.data["sha256"]
    pending = {k: s for k, s in session.pending.items() if (k, s) != (kata, sha)}
    return replace(session, pending=pending, verdicts={**session.verdicts, (kata, sha): event.data})


def _hinted(session: Session, event: Event) -> Session:
    kata = event.data["kata"]
    return replace(session, hints={**session.hints, kata: event.data["number"]})


def _asked(session: Session, event: Event) -> Session:
    return replace(session, asked=(*session.asked, (session.stage, event.data["id"])))


def _answered(session: Session, event: Event) -> Session:
    return replace(session, answered=(*session.answered, (session.stage, event.data["id"])))


def _paused(session: Session, event: Event) -> Session:
    return replace(session, paused_at=event.at)


def _resumed(session: Session, event: Event) -> Session:
    assert session.paused_at is not None
    length = (event.at - session.paused_at).total_seconds()
    return replace(session, paused_at=None, paused_s=session.paused_s + length)


def _moved(session: Session, event: Event) -> Session:
    return replace(session, stage=session.stage + 1, entered_s=session.elapsed_s(event.at))


def _finished(session: Session, event: Event) -> Session:
    ended = session.paused_at or event.at
    return replace(session, ended=ended, taken=_taken(event), paused_at=None)


def _ran_out(session: Session, event: Event) -> Session:
    return replace(session, ended=session.deadline(), taken=_taken(event))


def _taken(event: Event) -> dict[str, str | None]:
    return {kata: found["sha256"] for kata, found in event.data["taken"].items()}


def _examined(session: Session, event: Event) -> Session:
    found = (event.data["kata"], event.data["sha256"])
    return replace(session, examined=session.examined | {found})


_EFFECTS: Mapping[Kind, Callable[[Session, Event], Session]] = {
    Kind.STARTED: _started,
    Kind.EDITED: _edited,
    Kind.SUBMITTED: _submitted,
    Kind.JUDGED: _judged,
    Kind.HINTED: _hinted,
    Kind.ASKED: _asked,
    Kind.ANSWERED: _answered,
    Kind.PAUSED: _paused,
    Kind.RESUMED: _resumed,
    Kind.MOVED: _moved,
    Kind.FINISHED: _finished,
    Kind.RAN_OUT: _ran_out,
    Kind.EXAMINED: _examined,
}
