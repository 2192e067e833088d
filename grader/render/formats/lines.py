"""What the formats share: a result in words, safe to show, and bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader.gradebook import Entry, Mark
from grader.render.escape import readable, visible, visible_lines

#: How much of one value, and how many printed lines, a format repeats.
VALUE_CHARS = 2000
PRINT_LINES = 20


def headline(mark: Mark) -> str:
    """One line: what became of the kata."""
    failure = mark.first_failure
    if mark.result == "UNWRITTEN":
        return "UNWRITTEN: the file is still the stub"
    if mark.text:
        return f"{mark.result}: {shown(mark.text.splitlines()[0])}"
    problem = (mark.report or {}).get("problem")
    if problem:
        return f"{mark.result}: {shown(problem['note'] or problem['call'])}"
    if failure is not None:
        return f"{mark.result}: {readable(failure['title'])}"
    return mark.result


def details(mark: Mark) -> list[str]:
    """The lines below the headline: the failing call, the answer, the diagnosis."""
    lines = list(_counterexample((mark.report or {}).get("problem") or {}, call=False))
    failure = mark.first_failure
    if failure is not None and failure.get("counterexample"):
        lines += _counterexample(failure["counterexample"], call=True)
    lines += _diagnosis((mark.report or {}).get("diagnosis"))
    if mark.statement_changed:
        lines.append("The statement in this file is not the grader's; the fork may be older.")
    return lines


def case_details(case: Mapping[str, Any]) -> list[str]:
    """The lines of one failing case."""
    return list(_counterexample(case.get("counterexample") or {}, call=True))


def name_of(entry: Entry) -> str:
    """A student's name, safe to show."""
    return shown(entry.student, 200)


def shown(text: str, limit: int = VALUE_CHARS) -> str:
    """Untrusted text on one line, cut."""
    safe = visible(text[: limit + 1])
    return safe if len(safe) <= limit else safe[:limit] + "…"


def points(value: float) -> str:
    """`7`, `7.5`."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _counterexample(found: Mapping[str, Any], *, call: bool) -> Iterator[str]:
    if not found:
        return
    if call:
        for line in found["call"].splitlines()[:6]:
            yield shown(line)
    if found["note"]:
        where = f" (line {found['line']})" if found["line"] else ""
        yield shown(found["note"]) + where
    if found["line_text"]:
        yield f"    {shown(found['line_text'], 200)}"
    for label in ("yours", "expected"):
        if found[label] is not None:
            yield f"{label:9} {shown(found[label])}"
    printed = visible_lines(found["prints"][: VALUE_CHARS * 4])
    if printed:
        yield "printed during this call:"
        yield from (f"| {line[:VALUE_CHARS]}" for line in printed[:PRINT_LINES])
        if len(printed) > PRINT_LINES:
            yield "| …"


def _diagnosis(found: Mapping[str, Any] | None) -> Iterator[str]:
    if found:
        yield readable(found["title"])
        yield from (readable(line) for line in found["text"].splitlines() if line.strip())
