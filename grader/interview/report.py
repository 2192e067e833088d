"""The report of an interview, from its journal alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grader.interview import rubric, standing
from grader.interview.facts import (
    Answer,
    Criterion,
    Examined,
    Growth,
    Moment,
    Sheet,
    StageTime,
    Written,
)
from grader.interview.ledger import Read
from grader.interview.plan import Plan
from grader.interview.room import sources
from grader.interview.session import Event, Kind, Session, State, after
from grader.interview.sitting import HINT_COST


def build(read: Read) -> Sheet:
    """Everything there is to say about an interview that is over."""
    session = read.session
    timed = tuple(_timed(read.events))
    answers = tuple(_answers(timed, session.plan))
    written = tuple(_written(kata, timed, session) for kata in session.plan.katas)
    given = [event.data for event in read.events if event.kind is Kind.MARKED]
    started = session.started or datetime.min
    return Sheet(
        title=session.plan.title,
        strict=session.plan.strict,
        started=started,
        ended=session.ended,
        ran_out=any(event.kind is Kind.RAN_OUT for event in read.events),
        seed=session.plan.seed,
        versions=_versions_of(read.events),
        minutes=session.plan.minutes,
        spent_s=session.elapsed_s(session.ended or session.at or started),
        paused_s=session.paused_s,
        pauses=sum(event.kind is Kind.PAUSED for event in read.events),
        seal=read.seal,
        findings=tuple((f.line, f.text, f.serious) for f in read.findings),
        stages=tuple(_stages(timed, session)),
        written=written,
        answers=answers,
        rubric=tuple(_marked(rubric.marks(written, answers), given)),
        hint_marks=HINT_COST * sum(session.hints.values()),
        notes=tuple(data["note"] for data in given if data.get("note")),
        timeline=tuple(moment for at, event in timed for moment in _moments(at, event)),
    )


def _versions_of(events: Sequence[Event]) -> str:
    found = events[0].data.get("versions", {}) if events else {}
    return ", ".join(f"{name} {version}" for name, version in found.items())


@dataclass(frozen=True, slots=True)
class At:
    """When an event was."""

    seconds: float  # on the interview's clock
    stage: int
    paused: bool  # the clock stood still


Timed = Sequence[tuple[At, Event]]


def _timed(events: Iterable[Event]) -> Iterator[tuple[At, Event]]:
    session = Session()
    for event in events:
        # Before a resume the clock stands still; after everything else it is what it was.
        before, paused = session.elapsed_s(event.at), session.state is State.PAUSED
        session = after(session, event)
        seconds = round(min(before, session.plan.seconds), 3)
        yield At(seconds, session.stage, paused), event


def _stages(timed: Timed, session: Session) -> Iterator[StageTime]:
    begins = [at.seconds for at, e in timed if e.kind in (Kind.STARTED, Kind.MOVED)]
    ends = [*begins[1:], session.elapsed_s(session.ended or session.at or datetime.min)]
    for number, stage in enumerate(session.plan.stages):
        spent = ends[number] - begins[number] if number < len(begins) else None
        planned = session.plan.share_s(number)
        yield StageTime(stage.title, stage.kind, session.plan.kata_of(number), planned, spent)


def _written(kata: str, timed: Timed, session: Session) -> Written:
    mine = [(at, event) for at, event in timed if event.data.get("kata") == kata]
    submits = [(at, e) for at, e in mine if e.kind is Kind.SUBMITTED]
    runs = [(at, e) for at, e in mine if e.kind is Kind.RAN]
    passes = [
        at.seconds
        for at, e in submits
        if (session.verdicts.get((kata, e.data["sha256"])) or {}).get("outcome") == "PASS"
    ]
    tested = [
        any(run.data["sha256"] == e.data["sha256"] and run.number < e.number for _, run in runs)
        for _, e in submits
    ]
    texts = sources(event for _, event in timed)
    return Written(
        kata=kata,
        taken=_taken(kata, timed, session),
        runs=len(runs),
        submits=len(submits),
        hints=session.hints.get(kata, 0),
        first_run_s=runs[0][0].seconds if runs else None,
        first_submit_s=submits[0][0].seconds if submits else None,
        pass_s=passes[0] if passes else None,
        tested=sum(tested),
        growth=tuple(_growth(kata, mine, texts)),
        versions=tuple(_versions(kata, mine, session, texts)),
    )


def _taken(kata: str, timed: Timed, session: Session) -> str:
    """Which version the marks are about, and how it was come by."""
    ends = [e for _, e in timed if e.kind in (Kind.FINISHED, Kind.RAN_OUT)]
    if not ends:
        return "not taken: the interview is not over"
    taken = ends[0].data["taken"].get(kata, {})
    if session.counts(kata) != taken.get("sha256"):
        return "the version that passed last; the file was changed afterwards"
    return str(taken.get("basis"))


def _growth(kata: str, mine: Timed, texts: Mapping[str, str]) -> Iterator[Growth]:
    yield Growth(0.0, 0)
    for at, event in mine:
        if event.kind is Kind.EDITED:
            yield Growth(at.seconds, code_lines(texts.get(event.data["sha256"], ""), kata))


def _versions(
    kata: str, mine: Timed, session: Session, texts: Mapping[str, str]
) -> Iterator[Examined]:
    """In the order in which they were submitted; what was taken is the last."""
    end_s = session.elapsed_s(session.ended or session.at or datetime.min)
    when: dict[str, float] = {}
    for at, event in mine:
        if event.kind is Kind.SUBMITTED:
            when.setdefault(event.data["sha256"], at.seconds)
    found = {e.data["sha256"]: e.data for _, e in mine if e.kind is Kind.EXAMINED}
    final = session.counts(kata)
    order = sorted(found, key=lambda sha: (sha == final, when.get(sha, end_s)))
    for sha in order:
        at_s = when.get(sha, end_s)
        yield _examined(found[sha], at_s, sha == final, texts.get(sha, ""))


def _examined(data: Mapping[str, Any], at_s: float, final: bool, source: str) -> Examined:
    timing = data["timing"] or {}
    return Examined(
        sha256=data["sha256"],
        at_s=at_s,
        final=final,
        outcome=data["outcome"],
        passed=data["passed"],
        total=data["total"],
        failing=tuple((title, outcome) for title, outcome in data["failing"]),
        open_stretch=tuple(data["stretch"]) if data["outcome"] == "PASS" else (),
        counterexample=tuple(data["counterexample"]) if data["counterexample"] else None,
        diagnosis=tuple(data["diagnosis"]) if data["diagnosis"] else None,
        ratio=timing.get("ratio"),
        spread=timing.get("spread"),
        timing=timing.get("note") or timing.get("on"),
        source=source,
    )


def _answers(timed: Timed, plan: Plan) -> Iterator[Answer]:
    asked = {(at.stage, e.data["id"]): (at, e) for at, e in timed if e.kind is Kind.ASKED}
    said = {(at.stage, e.data["id"]): (at, e) for at, e in timed if e.kind is Kind.ANSWERED}
    checks = {e.data["id"]: e.data for _, e in timed if e.kind is Kind.CHECKED}
    ticks = {
        e.data["answer"]: e.data["points"]
        for _, e in timed
        if e.kind is Kind.MARKED and e.data.get("answer")
    }
    for key, (at, question) in asked.items():
        when, reply = said.get(key, (None, None))
        data = reply.data if reply else {}
        points = tuple((point, said_it) for point, said_it in data.get("points", []))
        by, id_ = data.get("by"), key[1]
        if id_ in ticks and len(ticks[id_]) == len(points):
            by = "interviewer"
            pairs = zip(points, ticks[id_], strict=True)
            points = tuple((point, made) for (point, _), made in pairs)
        check = checks.get(id_)
        yield Answer(
            id=id_,
            stage=plan.stages[at.stage].title,
            ask=question.data["ask"],
            kata=question.data.get("kata"),
            text=data.get("text"),
            skipped=reply is None or bool(data.get("skipped")),
            seconds=when.seconds - at.seconds if when else None,
            points=points,
            ticked_by=by,
            checked=check["passed"] if check else None,
            verdict=check["text"] if check else None,
            follow_up=data.get("follow_up"),
        )


def _marked(found: Iterable[Criterion], given: Iterable[Mapping[str, Any]]) -> Iterator[Criterion]:
    """With the interviewer's last word on each."""
    latest = {name: mark for data in given for name, mark in data.get("marks", {}).items()}
    for each in found:
        yield Criterion(each.name, each.marks, each.evidence, latest.get(each.name))


def _moments(at: At, event: Event) -> Iterator[Moment]:
    """What the timeline tells of an event; of what was judged afterwards, nothing."""
    data, good = event.data, None
    match event.kind:
        case Kind.STARTED:
            text = "started"
        case Kind.EDITED:
            text = "edited while the clock stood still" if at.paused else "edited"
            text += f": {data['problem']}" if data.get("problem") else ""
        case Kind.RAN:
            good = data["outcome"] == "PASS"
            text = f"ran the examples: {data['passed']} of {data['total']}"
        case Kind.SUBMITTED:
            text = "submitted"
        case Kind.JUDGED:
            good = data["outcome"] == "PASS"
            text = f"{data['outcome']}: {standing.verdict_text(data)}"
        case Kind.HINTED:
            text = f"took hint {data['number']}"
        case Kind.ASKED:
            text = f"was asked: {data['ask']}"
        case Kind.ANSWERED:
            how = "skipped it" if data["skipped"] else "answered in writing"
            text = how if data["skipped"] or data["text"] else "answered aloud"
        case Kind.CHECKED:
            good = data["passed"]
            text = f"had the follow-up checked: {data['text']}"
        case Kind.PAUSED | Kind.RESUMED:
            text = event.kind.value
        case Kind.MOVED:
            text = "went on to the next stage"
        case Kind.FINISHED:
            text = "finished"
        case Kind.RAN_OUT:
            text = "the time was up"
        case _:
            return
    yield Moment(at.seconds, at.stage, event.kind.value, data.get("kata"), text, good)


def code_lines(source: str, kata: str) -> int:
    """Lines with code on them; the statement and comments do not count."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        lines = (line.strip() for line in source.splitlines())
        return sum(bool(line) and not line.startswith("#") for line in lines)
    docs = {
        id(node.body[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    }
    used: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and id(node) not in docs:
            used.add(node.lineno)
            if not hasattr(node, "body"):
                used.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(used)
