"""What the views of an interview show: plain data, made from the journal, read by `render`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an open interview stands at one moment."""

    title: str  # of the plan
    strict: bool
    state: str  # a name of `session.State`
    left_s: float
    total_s: float
    stage: int  # from 1
    stages: int
    stage_title: str
    stage_left_s: float  # of its share; negative beyond it
    kata: str | None
    file: str | None  # where the kata is written
    commands: tuple[tuple[str, str], ...]  # what is allowed: `run`, what it does
    facts: tuple[str, ...]  # short: submits, hints, the last verdict, what is asked


@dataclass(frozen=True, slots=True)
class StageTime:
    """A stage, and how long it took."""

    title: str
    kind: str
    kata: str | None
    planned_s: float
    spent_s: float | None  # None when it was never reached


@dataclass(frozen=True, slots=True)
class Moment:
    """One row of the timeline."""

    at_s: float  # on the interview's clock
    stage: int  # from 0
    kind: str  # a name of `session.Kind`
    kata: str | None
    text: str
    good: bool | None = None  # whether it passed, where that is a question


@dataclass(frozen=True, slots=True)
class Growth:
    """How much code there was at a time."""

    at_s: float
    lines: int  # with code on them, without the statement


@dataclass(frozen=True, slots=True)
class Examined:
    """One version of a kata, judged again afterwards with everything there is to say."""

    sha256: str
    at_s: float  # when it was submitted or taken
    final: bool  # it is what counts: the last that passed, else what was taken at the end
    outcome: str
    passed: int
    total: int
    failing: tuple[tuple[str, str], ...]  # titles and outcomes of the cases that failed
    open_stretch: tuple[str, ...]  # titles of stretch cases that do not pass
    counterexample: tuple[str, str | None, str | None, str | None] | None
    diagnosis: tuple[str, str] | None  # title and text
    ratio: float | None  # of its time to the reference's
    spread: float | None
    timing: str | None  # on what it was timed, or why it was not
    source: str


@dataclass(frozen=True, slots=True)
class Written:
    """Everything about one kata of the interview."""

    kata: str
    taken: str  # which version counts, in words
    runs: int
    submits: int
    hints: int
    first_run_s: float | None
    first_submit_s: float | None
    pass_s: float | None  # the first submit that passed
    tested: int  # submits of a version whose examples had been run
    growth: tuple[Growth, ...]
    versions: tuple[Examined, ...]  # in order; the last is the final one

    @property
    def final(self) -> Examined | None:
        """The version that counts, once it was judged."""
        return self.versions[-1] if self.versions and self.versions[-1].final else None


@dataclass(frozen=True, slots=True)
class Answer:
    """A question or a rung, and what came of it."""

    id: str
    stage: str
    ask: str
    kata: str | None  # of a rung
    text: str | None  # as typed; None when it was spoken or skipped
    skipped: bool
    seconds: float | None  # from the question to the answer, on the interview's clock
    points: tuple[tuple[str, bool | None], ...]  # and whether it was made; None: nobody said
    ticked_by: str | None  # candidate or interviewer
    checked: bool | None  # by the judge
    verdict: str | None  # the judge's words
    follow_up: str | None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of the rubric; marks go from 0 to 4."""

    name: str
    marks: int | None  # from the evidence; None when there is none
    evidence: str
    given: int | None = None  # by the interviewer
    note: str | None = None

    @property
    def counts(self) -> int | None:
        """The interviewer's word counts before the evidence."""
        return self.marks if self.given is None else self.given


@dataclass(frozen=True, slots=True)
class Sheet:
    """The report of an interview."""

    title: str
    strict: bool
    started: datetime
    ended: datetime | None
    ran_out: bool
    seed: int | None
    versions: str
    minutes: int
    spent_s: float
    paused_s: float
    pauses: int
    seal: str
    findings: tuple[tuple[int, str, bool], ...]  # of the journal: line, text, serious
    stages: tuple[StageTime, ...]
    written: tuple[Written, ...]
    answers: tuple[Answer, ...]
    rubric: tuple[Criterion, ...]
    hint_marks: int  # what the hints cost
    notes: tuple[str, ...]  # the interviewer's
    timeline: tuple[Moment, ...]

    @property
    def total(self) -> tuple[int, int]:
        """Marks, and how many there could have been."""
        found = [c.counts for c in self.rubric if c.counts is not None]
        return max(0, sum(found) - self.hint_marks), 4 * len(found)
