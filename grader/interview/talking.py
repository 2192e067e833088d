"""The talking part: which question or rung is next, and what is recorded of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader import catalog
from grader.errors import UsageError
from grader.interview import judging, ladder, questions
from grader.interview.judging import Told
from grader.interview.room import Room
from grader.interview.session import Kind, Session, State, check
from grader.interview.sitting import source_of


@dataclass(frozen=True, slots=True)
class Item:
    """Something to answer: a question of a talk, or a rung of a ladder."""

    id: str
    number: int  # in its stage, from 1
    total: int
    ask: str
    points: tuple[str, ...]  # what a good answer makes
    wrong: tuple[str, ...] = ()  # what people say instead
    follow_up: str | None = None
    source: str | None = None
    kata: str | None = None  # of a rung
    checkable: bool = False  # `submit` puts it to the judge


def items(session: Session) -> tuple[Item, ...]:
    """Everything the current stage asks, in order."""
    if session.state is State.LADDER:
        return _rungs(session)
    if session.state is not State.TALK:
        return ()
    mine = _picked(session)
    return tuple(
        Item(q.id, n, len(mine), q.ask, q.points, q.wrong, q.follow_up, q.source)
        for n, q in enumerate(mine, start=1)
    )


def pending(session: Session) -> Item | None:
    """What is to be answered next in this stage; None when all is said.

    A ladder is climbed after its kata has passed.
    """
    done = {id_ for stage, id_ in session.answered if stage == session.stage}
    return next((item for item in items(session) if item.id not in done), None)


def ask(found: Room) -> Item | None:
    """Put the next question, and remember when; None when all is said."""
    with found.ledger.writing(found.clock) as writer:
        session = found.settled(writer)
        check(session, Kind.ASKED)
        item = pending(session)
        if item is not None and session.question != item.id:
            writer.add(Kind.ASKED, id=item.id, ask=item.ask, kata=item.kata)
    return item


def answer(
    found: Room,
    item: Item,
    *,
    text: str | None = None,
    ticks: Sequence[bool | None] = (),
    skipped: bool = False,
    checked: str | None = None,
) -> Session:
    """Record an answer. `ticks`: whether each point was made; None where nobody said."""
    marks = [*ticks, *[None] * (len(item.points) - len(ticks))]
    said: dict[str, Any] = {
        "id": item.id,
        "text": text,
        "skipped": skipped,
        "points": [list(pair) for pair in zip(item.points, marks, strict=True)],
        "by": "candidate" if any(tick is not None for tick in ticks) else None,
        "follow_up": item.follow_up,
        "checked": checked,
    }
    with found.ledger.writing(found.clock) as writer:
        session = found.settled(writer)
        if session.state is State.OVER:
            raise UsageError("The time was up before that answer, so it was not recorded.")
        return writer.add(Kind.ANSWERED, **said)


def climb(found: Room, item: Item, told: Told) -> ladder.RungResult:
    """Put the file to the check of a rung, and remember what it said."""
    session = found.look()
    check(session, Kind.CHECKED)
    assert item.kata is not None
    source = source_of(found, session, item.kata)
    kata = catalog.find(item.kata)
    rung = next(rung for rung in ladder.rungs(kata) if rung.id == item.id)
    told("checking")
    result = ladder.check(kata, rung, source, judging.seed_of(session.plan.seed, item.kata))
    with found.ledger.writing(found.clock) as writer:
        if found.settled(writer).state is not State.OVER:
            writer.add(
                Kind.CHECKED,
                id=item.id,
                kata=item.kata,
                sha256=source.sha256,
                passed=result.passed,
                text=result.text,
            )
    return result


def ticked(points: Sequence[str], numbers: str) -> list[bool]:
    """Which points `1,3` names; `none` is none of them. Raises `UsageError`."""
    words = [] if numbers.strip() == "none" else numbers.replace(",", " ").split()
    wrong = [w for w in words if not w.isdecimal() or not 1 <= int(w) <= len(points)]
    if wrong:
        raise UsageError(
            f"There is no point {wrong[0]!r}; give numbers from 1 to {len(points)}, "
            "like 1,3, or none."
        )
    return [str(n) in {str(int(w)) for w in words} for n in range(1, len(points) + 1)]


def _picked(session: Session) -> list[questions.Question]:
    """The questions of this stage: none that an earlier stage has asked."""
    used: set[str] = set()
    for number, stage in enumerate(session.plan.stages[: session.stage + 1]):
        if stage.kind != "talk":
            continue
        seed = (session.plan.seed or 0) + number
        found = questions.pick(seed, stage.questions + len(used), stage.levels)
        mine = [q for q in found if q.id not in used][: stage.questions]
        used |= {q.id for q in mine}
    return mine


def _rungs(session: Session) -> tuple[Item, ...]:
    kata = session.kata
    assert kata is not None
    if not session.passed(kata):
        return ()
    rungs = ladder.rungs(catalog.find(kata))[: session.now.rungs]
    return tuple(
        Item(r.id, n, len(rungs), r.ask, r.points, kata=kata, checkable=r.check is not None)
        for n, r in enumerate(rungs, start=1)
    )
