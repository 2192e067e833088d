"""GitHub Actions: annotations on the student's lines, and the step summary.

A runner obeys lines it reads on stdout, so what a student wrote is escaped, and the report
above the annotations stands between `stop-commands` lines no program can guess.
"""

from __future__ import annotations

import html
import secrets

from grader.gradebook import Cohort, Entry, Mark
from grader.render.formats.lines import details, headline, name_of, points

#: The runner shows no more of a step.
MAX_ANNOTATIONS = 10
MESSAGE_CHARS = 3000
#: The limit is 1 MiB, above which the whole summary is dropped.
SUMMARY_BYTES = 900 * 1024
_CUT = "<p>The summary was cut here; the other formats hold all of it.</p>\n"


def commands(cohort: Cohort) -> str:
    """One `::error` for each kata of a fork that did not pass; none for a batch."""
    if cohort.several:
        return ""
    failed = [mark for entry in cohort.entries for mark in entry.marks if not mark.passed]
    return "".join(map(_annotation, failed[:MAX_ANNOTATIONS]))


def quoted(text: str, token: str | None = None) -> str:
    """`text` in lines a runner prints and does not obey."""
    token = token or secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text.rstrip()}\n::{token}::\n"


def summary(cohort: Cohort) -> str:
    """The page of the step, in HTML that Markdown leaves alone; below the runner's limit."""
    parts, size = [_head(cohort)], 0
    for entry in cohort.entries:
        part = _entry(cohort, entry)
        size += len(part.encode())
        if size > SUMMARY_BYTES - 4096:
            return "".join([*parts, _CUT])
        parts.append(part)
    return "".join(parts)


def _annotation(mark: Mark) -> str:
    case = mark.first_failure or {}
    found = (mark.report or {}).get("problem") or case.get("counterexample") or {}
    level = "warning" if mark.result in ("UNWRITTEN", "NOT_GRADED") else "error"
    place = f"file={_property(f'katas/{mark.kata}.py')},line={found.get('line') or mark.line or 1}"
    title = _property(f"{mark.kata} {mark.result}")
    message = "\n".join([headline(mark), *details(mark)])[:MESSAGE_CHARS]
    return f"::{level} {place},title={title}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _head(cohort: Cohort) -> str:
    marks = [mark for entry in cohort.entries for mark in entry.marks]
    passed = sum(mark.passed for mark in marks)
    told = f"{passed} of {len(marks)} katas passed"
    if cohort.several:
        told = f"{len(cohort.entries)} students, {told}"
    return f"<h3>{told}</h3>\n<p>Seed {cohort.seed}.</p>\n"


def _entry(cohort: Cohort, entry: Entry) -> str:
    rows = "".join(_row(mark) for mark in entry.marks)
    name = f"<h4><code>{_text(name_of(entry))}</code></h4>\n" if cohort.several else ""
    total = f"{points(entry.points)} of {points(entry.max_points)} points"
    return (
        f"{name}<table>\n<tr><th>kata</th><th>result</th><th>points</th></tr>\n"
        f"{rows}</table>\n<p>{total}</p>\n{_details(entry)}"
    )


def _row(mark: Mark) -> str:
    worth = f"{points(mark.points)} of {points(mark.max_points)}"
    return (
        f"<tr><td><code>{mark.kata}</code></td>"
        f"<td><code>{_text(headline(mark)[:500])}</code></td><td>{worth}</td></tr>\n"
    )


def _details(entry: Entry) -> str:
    return "".join(
        f"<details><summary><code>{mark.kata}</code></summary>\n"
        f"<pre>{_text(chr(10).join(lines)[:MESSAGE_CHARS])}</pre>\n</details>\n"
        for mark in entry.marks
        if not mark.passed and (lines := details(mark))
    )


def _text(text: str) -> str:
    """Text inside HTML; an empty line would end the block Markdown leaves alone."""
    escaped = html.escape(text).replace("@", "&#64;").replace("`", "&#96;")
    return "\n".join(line or "&#32;" for line in escaped.split("\n"))
