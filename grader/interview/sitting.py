"""What a candidate does in an interview: begin, run, submit, take a hint, pause, go on, end."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import __version__, catalog, practice, submission
from grader.appendlog import locked
from grader.errors import UsageError
from grader.interview import judging, ledger, room
from grader.interview.clock import Clock
from grader.interview.judging import Told
from grader.interview.plan import Plan, to_dict
from grader.interview.room import Room
from grader.interview.session import Kind, Session, State, check
from grader.model import Outcome, Report, Submission
from grader.record import Record
from grader.workspace import Workspace

#: What a hint costs, in marks of the rubric.
HINT_COST = 1


class StillStub(Exception):
    """There is nothing to judge yet; the message says where to write."""

    def __init__(self, kata: str, path: str) -> None:
        super().__init__(f"{path} is still the stub, so there is nothing to judge yet.")
        self.kata = kata


@dataclass(frozen=True, slots=True)
class Submitted:
    """What the hidden suite said of a version."""

    kata: str
    number: int  # of the submit
    verdict: Mapping[str, Any]  # as `judging.hidden` gives it
    again: bool  # this very version was judged before


def start(home: Workspace, plan: Plan, clock: Clock) -> tuple[Room, list[str]]:
    """Put fresh stubs in place and start the clock; sentences about files put aside.

    `plan` is settled. Raises `UsageError` when an interview is open, having changed nothing.
    """
    place = room.folder(home)
    try:
        place.mkdir(parents=True, exist_ok=True)
        with locked(place / "lock"):  # two at once must not both begin
            return _started(home, plan, clock)
    except OSError as error:
        told = error.strerror or error
        raise UsageError(f"{place} cannot be written ({told}); mend that.") from None


def _started(home: Workspace, plan: Plan, clock: Clock) -> tuple[Room, list[str]]:
    if room.opened(home, clock) is not None:
        raise UsageError(
            "An interview is open here; `kata interview` shows it, and "
            "`kata interview finish` ends it."
        )
    notes = []
    for kata in map(catalog.find, plan.katas):
        kept = practice.replace_file(home, kata, kata.stub.encode())
        notes += [f"katas/{kata.name}.py is a fresh stub{kept}."] if kept else []
    stubs = {kata: room.digest(room.stub_of(kata)) for kata in plan.katas}
    sources = {stubs[kata]: room.stub_of(kata).decode() for kata in plan.katas}
    name = f"{clock.now():%Y%m%d-%H%M%S}"
    path = _unused(room.folder(home), name)
    found = Room(home, ledger.Ledger(path), clock)
    with found.ledger.writing(clock) as writer:
        versions = {"bpe-kata": __version__, "python": platform.python_version()}
        facts = {"stubs": stubs, "sources": sources, "versions": versions}
        writer.add(Kind.STARTED, plan=to_dict(plan), **facts)
    return found, notes


def run(found: Room, told: Told) -> Report:
    """Run the visible examples of the current kata, and record how they went."""
    session, kata, source = _begin(found, Kind.RAN)
    report = judging.examples(kata, source, session.plan.seed, told)
    with found.ledger.writing(found.clock) as writer:
        if found.settled(writer).state is not State.OVER:
            passed = sum(v.outcome is Outcome.PASS for v in report.verdicts)
            writer.add(
                Kind.RAN,
                kata=kata,
                sha256=source.sha256,
                outcome=report.outcome.value,
                passed=passed,
                total=len(report.verdicts),
            )
    return report


def submit(found: Room, told: Told) -> Submitted:
    """Put the current kata to the hidden suite. A version has one verdict, however often."""
    session, kata, source = _begin(found, Kind.SUBMITTED)
    known = session.verdict(kata)
    if known is not None and known["outcome"] != Outcome.BROKEN:
        return Submitted(kata, session.submits.get(kata, 0), known, again=True)
    with found.ledger.writing(found.clock) as writer:
        session = found.settled(writer)
        if session.pending.get(kata) != source.sha256:  # else it was cut off before its verdict
            session = writer.add(Kind.SUBMITTED, kata=kata, sha256=source.sha256)
    verdict = _judged(found, kata, source, told)
    return Submitted(kata, session.submits[kata], verdict, again=False)


def hint(found: Room) -> tuple[str, int, str, int]:
    """Take the next hint: the kata, its number, its text, and how many there are."""
    with found.ledger.writing(found.clock) as writer:
        session = found.settled(writer)
        kata, number = next_hint(session)
        writer.add(Kind.HINTED, kata=kata, number=number)
    hints = catalog.find(kata).hints
    return kata, number, hints[number - 1], len(hints)


def next_hint(session: Session) -> tuple[str, int]:
    """The kata and the number of the hint that is next. Raises `UsageError` after the last."""
    check(session, Kind.HINTED)
    kata = _kata(session)
    number = session.hints.get(kata, 0) + 1
    if number > len(catalog.find(kata).hints):
        raise UsageError(f"You have taken every hint of {kata}; `--again` shows them.")
    return kata, number


def step(found: Room, kind: Kind) -> Session:
    """Pause, resume, or go to the next stage."""
    with found.ledger.writing(found.clock) as writer:
        found.settled(writer)
        return writer.add(kind)


def finish(found: Room) -> Session:
    """End the interview, unless the clock has."""
    with found.ledger.writing(found.clock) as writer:
        session = found.settled(writer)
        return session if session.state is State.OVER else found.finish(writer)


def waiting(session: Session) -> list[tuple[str, str, bool]]:
    """What is left to judge once an interview is over: kata, hash, and whether in detail."""
    found = [(kata, sha, False) for kata, sha in session.pending.items()]
    for kata, sha in (*session.verdicts, *session.pending.items(), *_counting(session)):
        if (kata, sha) not in session.examined and (kata, sha, True) not in found:
            found.append((kata, sha, True))
    return found


def conclude(
    found: Room, kata: str, sha: str, in_detail: bool, told: Told, *, remember: bool
) -> None:
    """Judge one version of those that wait; `remember` what was taken as a run of the kata."""
    read = found.ledger.read()
    session, text = read.session, room.sources(read.events)[sha]
    source = Submission(f"katas/{kata}.py", text.encode(), sha)
    if not in_detail:
        _judged(found, kata, source, told)
        return
    final = session.counts(kata) == sha
    report, details = judging.examined(kata, source, session.plan.seed, told, timing=final)
    if final and remember and report.outcome is not Outcome.UNWRITTEN:
        Record(found.home).before(report.kata, source)
        Record(found.home).after(report)
    with found.ledger.writing(found.clock) as writer:
        writer.add(Kind.EXAMINED, kata=kata, sha256=sha, final=final, **details)


def source_of(found: Room, session: Session, kata: str) -> Submission:
    """The version that was recorded last. Raises `UsageError`, or `StillStub`."""
    sha = session.files.get(kata)
    path = found.file(kata)
    if sha is None:
        submission.read(path)
        raise UsageError(f"{path} cannot be graded; mend it and try again.")
    text = room.sources(found.ledger.read().events)[sha]
    source = Submission(_shown(path, found.home), text.encode(), sha)
    if submission.is_unwritten(catalog.find(kata), source):
        raise StillStub(kata, source.path)
    return source


def _begin(found: Room, kind: Kind) -> tuple[Session, str, Submission]:
    session = found.look()
    check(session, kind)
    kata = _kata(session)
    try:
        return session, kata, source_of(found, session, kata)
    except submission.Ungradable as error:
        raise UsageError(str(error)) from None


def _judged(found: Room, kata: str, source: Submission, told: Told) -> dict[str, Any]:
    seed = found.ledger.read().session.plan.seed
    verdict = judging.hidden(kata, source, seed, told)
    with found.ledger.writing(found.clock) as writer:
        writer.add(Kind.JUDGED, kata=kata, sha256=source.sha256, **verdict)
    return verdict


def _counting(session: Session) -> list[tuple[str, str]]:
    found = [(kata, session.counts(kata)) for kata in session.plan.katas]
    return [(kata, sha) for kata, sha in found if sha is not None]


def _kata(session: Session) -> str:
    assert session.kata is not None  # the table lets nothing of this into a talk
    return session.kata


def _shown(path: Path, home: Workspace) -> str:
    return str(path.relative_to(home.root))


def _unused(folder: Path, name: str) -> Path:
    path, number = folder / f"{name}.jsonl", 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.jsonl"
    return path
