"""Where an interview stands, as the views show it; and the warnings on the way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from grader import catalog
from grader.interview import talking
from grader.interview.facts import Standing
from grader.interview.plan import Plan, Stage
from grader.interview.room import Room
from grader.interview.session import Kind, Session, State, allowed
from grader.interview.sitting import HINT_COST
from grader.render import words

#: Seconds before the end at which a candidate is told; half of the time comes on top.
WARN_S = (600.0, 120.0)
#: `HINT_COST`, in words.
COST = words.count(HINT_COST, "mark")


def standing(found: Room, session: Session, now: datetime, here: Path) -> Standing:
    """What there is to say about an interview at this moment."""
    kata = session.kata
    path = found.file(kata) if kata else None
    shown = path.relative_to(here) if path and path.is_relative_to(here) else path
    return Standing(
        title=session.plan.title,
        strict=session.plan.strict,
        state=session.state.value,
        left_s=max(session.left_s(now), 0.0),
        total_s=session.plan.seconds,
        stage=session.stage + 1,
        stages=len(session.plan.stages),
        stage_title=session.now.title,
        stage_left_s=session.stage_left_s(now),
        kata=kata,
        file=str(shown) if shown else None,
        commands=tuple(_commands(session)),
        facts=tuple(_facts(session)),
    )


def warnings(session: Session, was_s: float, now: datetime) -> list[str]:
    """What should be said about the time left, if it came up since `was_s` were left."""
    left = session.left_s(now)
    points = [(session.plan.seconds / 2, "Half of the time is over")]
    points += [(s, f"{words.duration(s)} left") for s in WARN_S if s < session.plan.seconds / 2]
    due = [told for point, told in points if left <= point < was_s]
    return [f"{due[-1]}; the clock says {words.clock(left)}."] if due and left > 0 else []


def plan_rows(plan: Plan, *, drawn: bool) -> list[tuple[str, float, str]]:
    """A row for each stage: title, seconds, what there is to do."""
    return [
        (stage.title, plan.share_s(number), _about(plan, number, stage, drawn))
        for number, stage in enumerate(plan.stages)
    ]


def verdict_text(verdict: Mapping[str, Any]) -> str:
    """`7 of 11 cases pass`, and no word of which."""
    if not verdict.get("loads", True):
        return "the file does not load"
    told = f"{verdict['passed']} of {words.count(verdict['total'], 'case')} pass"
    return f"{told}, {verdict['not_run']} not run" if verdict["not_run"] else told


def _about(plan: Plan, number: int, stage: Stage, drawn: bool) -> str:
    if stage.kind == "talk":
        return words.count(stage.questions, "question")
    if stage.kind == "ladder":
        return f"up to {words.count(stage.rungs, 'follow-up')}, after a pass"
    names = f"{', '.join(stage.katas[:-1])} or {stage.katas[-1]}" if stage.katas[1:] else ""
    return f"write {plan.kata_of(number) if drawn or not names else names}"


def _commands(session: Session) -> list[tuple[str, str]]:
    following = "" if session.is_last else session.plan.stages[session.stage + 1].title
    about = {
        Kind.RAN: ("run", "the visible examples"),
        Kind.SUBMITTED: ("submit", "the hidden suite: how many cases pass, not which"),
        Kind.HINTED: ("hint", f"the next hint; it costs {COST}"),
        Kind.ASKED: ("answer", "what is asked, typed or spoken aloud"),
        Kind.PAUSED: ("pause", "stop the clock"),
        Kind.RESUMED: ("resume", "let the clock go on"),
        Kind.MOVED: ("next", f"go on to {following!r}; there is no way back"),
        Kind.FINISHED: ("finish", "end the interview before the time is up"),
    }
    if session.state is State.LADDER and session.passed(session.kata or ""):
        about[Kind.SUBMITTED] = ("submit", "put your file to the follow-up's check")
    if session.state is State.LADDER and not session.passed(session.kata or ""):
        del about[Kind.ASKED]
    return [about[kind] for kind in allowed(session) if kind in about]


def _facts(session: Session) -> list[str]:
    kata, found = session.kata, []
    if kata is not None:
        verdict = session.verdict(kata)
        count = session.submits.get(kata, 0)
        if count:
            told = verdict_text(verdict) if verdict else "this version is not submitted"
            found.append(f"{words.count(count, 'submit')}: {told}")
        if taken := session.hints.get(kata, 0):
            found.append(f"{taken} of {words.count(len(catalog.find(kata).hints), 'hint')} taken")
    if session.state in (State.TALK, State.LADDER):
        item = talking.pending(session)
        if item is not None:
            where = f"{item.number} of {item.total}"
            # A question is timed from when it is put; a follow-up may be thought about.
            rung = item.kata is not None
            told = f"follow-up {where}: {item.ask}" if rung else f"question {where} is next"
            found.append(told)
        elif session.state is State.LADDER and not session.passed(kata or ""):
            found.append("follow-ups come after a pass; go on writing")
        else:
            found.append("everything here is answered")
    return found
