"""What the formats of an interview's report share: its facts in words, safe to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grader.interview.facts import Answer, Criterion, Examined, Moment, Sheet, Written
from grader.render import words
from grader.render.escape import readable, visible, visible_lines
from grader.render.theme import UNICODE
from grader.render.values import folded

_VALUE_CHARS = 2000
_CALL_WIDTH = 88
#: Moments that a reader looks for; edits are a lane of their own.
LANES = (
    ("edits", ("edited",)),
    ("runs", ("ran",)),
    ("submits", ("judged", "checked")),
    ("hints", ("hinted",)),
    ("answers", ("answered",)),
    ("pauses", ("paused", "resumed")),
)


def facts(sheet: Sheet) -> list[str]:
    """The head of a report, a sentence each."""
    when = f"{sheet.started:%Y-%m-%d %H:%M} UTC"
    mode = "strict" if sheet.strict else "practice"
    ended = "the time was up" if sheet.ran_out else "finished"
    told = [f"{when} · {mode} · {words.clock(sheet.spent_s)} of {sheet.minutes} min, {ended}"]
    if sheet.pauses:
        length = words.duration(sheet.paused_s)
        told.append(f"{words.count(sheet.pauses, 'pause')}, {length} in all")
    versions = [readable(sheet.versions)] if sheet.versions else []
    told.append(" · ".join([f"seed {sheet.seed}", f"seal {sheet.seal[:12]}", *versions]))
    return told


def journal(sheet: Sheet) -> tuple[bool, list[str]]:
    """Whether the journal holds, and what is wrong with it."""
    lines = [f"line {line}: {readable(text)}" for line, text, _ in sheet.findings]
    if any(serious for _, _, serious in sheet.findings):
        return False, ["The journal does not hold; look at these lines.", *lines]
    return True, ["The journal is whole: no line was edited, none is missing.", *lines]


def total(sheet: Sheet) -> str:
    """`11 of 20 marks, 2 taken off for hints`."""
    got, most = sheet.total
    told = f"{got} of {words.count(most, 'mark')}"
    return f"{told}, {sheet.hint_marks} taken off for hints" if sheet.hint_marks else told


def mark_of(criterion: Criterion) -> str:
    """`3`, or `3 → 4` where the interviewer saw it otherwise; a dash without evidence."""
    own = UNICODE.dash if criterion.marks is None else str(criterion.marks)
    return own if criterion.given is None else f"{own} → {criterion.given}"


def history(written: Written) -> list[str]:
    """How a kata went, in short facts."""
    times = (
        ("first run", written.first_run_s),
        ("first submit", written.first_submit_s),
        ("passed", written.pass_s),
    )
    told = [f"{name} at {words.clock(at)}" for name, at in times if at is not None]
    if written.first_run_s is not None and written.pass_s is not None:
        told.append(f"{words.clock(written.pass_s - written.first_run_s)} from first run to pass")
    told.append(words.count(written.runs, "run"))
    told.append(words.count(written.submits, "submit"))
    told += [words.count(written.hints, "hint")] if written.hints else []
    if written.growth[1:]:
        told.append(f"{words.count(written.growth[-1].lines, 'line')} of code in the end")
    return told


def version_head(version: Examined) -> str:
    """One version in a line: when, hash, verdict."""
    cases = f", {version.passed} of {words.count(version.total, 'case')}" if version.total else ""
    final = ", counts" if version.final else ""
    when = words.clock(version.at_s)
    return f"{when} · {version.sha256[:8]} · {version.outcome}{cases}{final}"


def version_notes(version: Examined) -> Iterator[str]:
    """What there is to say about a version in prose."""
    if version.diagnosis:
        title, text = version.diagnosis
        yield f"Diagnosis: {readable(title)} {readable(' '.join(text.split()))}"
    for (title, outcome), times in Counter(version.failing).items():
        often = f", {times} times" if times > 1 else ""
        yield f"{outcome}{often}: {readable(title)}"
    for title in version.open_stretch:
        yield f"Still open, never scored: {readable(title)}"
    if version.ratio is not None:
        ratio = words.ratio(version.ratio, version.spread, UNICODE)
        yield f"{ratio} the time of the reference on {readable(version.timing or 'the corpus')}"
    elif version.timing:
        yield f"Not timed: {readable(version.timing)}."


def version_call(version: Examined) -> list[str]:
    """The smallest failing call, with both values; no lines without one."""
    if version.counterexample is None:
        return []
    call, yours, expected, note = version.counterexample
    lines = [visible(line) for line in folded(call[:_VALUE_CHARS], _CALL_WIDTH)]
    for name, value in (("yours", yours), ("expected", expected)):
        lines += [f"{name:<10} {_cut(value)}"] if value is not None else []
    return lines + ([_cut(note)] if note else [])


def answer_head(answer: Answer) -> str:
    """How a question was answered, in a line."""
    told = [readable(answer.stage)]
    told += [answer.kata] if answer.kata else []
    if answer.checked is not None:
        told.append("checked: it holds" if answer.checked else "checked: it does not hold")
    elif answer.skipped:
        told.append("skipped")
    else:
        told.append("in writing" if answer.text else "aloud")
    if answer.seconds is not None:
        told.append(f"after {words.clock(answer.seconds)}")
    if answer.ticked_by:
        told.append(f"ticked off by the {answer.ticked_by}")
    return " · ".join(told)


def said(answer: Answer) -> list[str]:
    """The typed answer, a line each."""
    return visible_lines((answer.text or "")[:_VALUE_CHARS])


def tick(made: bool | None) -> str:
    """A sign for a point: made, not made, nobody said."""
    return UNICODE.idle if made is None else UNICODE.passed if made else UNICODE.failed


def moment(one: Moment) -> tuple[str, str]:
    """A row of the timeline: when, what."""
    about = f"{one.kata}: " if one.kata else ""
    return words.clock(one.at_s), f"{about}{readable(one.text)}"


def rows(sheet: Sheet) -> list[Moment]:
    """The timeline, with edits that follow one another in one row."""
    found: list[Moment] = []
    for one in sheet.timeline:
        last = found[-1] if found else None
        same = last is not None and last.kind == "edited" and _told(last) == _told(one)
        if not same:
            found.append(one)
    return found


def _told(one: Moment) -> tuple[str, str | None, str]:
    return one.kind, one.kata, one.text


def source(version: Examined) -> str:
    """The code of a version, as far as anybody reads it."""
    return "\n".join(visible_lines(version.source[: 20 * _VALUE_CHARS]))


def _cut(text: str) -> str:
    safe = visible(text[: _VALUE_CHARS + 1])
    return safe if len(safe) <= _VALUE_CHARS else safe[:_VALUE_CHARS] + UNICODE.cut
