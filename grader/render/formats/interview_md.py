"""The report of an interview in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.interview.facts import Answer, Sheet, Written
from grader.render import words
from grader.render.escape import readable
from grader.render.formats import sheet as shared

#: What Markdown reads inside a line, and what it reads at the beginning of one.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&]|^\s*[#+-]|(?<=^\d)[.)])")


def render(sheet: Sheet) -> str:
    """The whole page; ends in a newline."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Sheet) -> Iterator[str]:
    yield f"# Interview: {_t(sheet.title)}"
    yield ""
    yield from (f"{_t(fact)}  " for fact in shared.facts(sheet))
    yield from (f"{_t(line)}  " for line in shared.journal(sheet)[1])
    yield from _head(f"Rubric: {shared.total(sheet)}")
    marks = [(c.name, shared.mark_of(c), c.evidence) for c in sheet.rubric]
    yield from _table(("criterion", "marks", "evidence"), marks)
    yield from (f"\nNote: {_t(note)}" for note in sheet.notes)
    yield from _head("Stages")
    times = [
        (
            stage.title,
            words.clock(stage.planned_s),
            "not reached" if stage.spent_s is None else words.clock(stage.spent_s),
        )
        for stage in sheet.stages
    ]
    yield from _table(("stage", "planned", "spent"), times)
    for written in sheet.written:
        yield from _written(written)
    if sheet.answers:
        yield from _head("Answers")
    for answer in sheet.answers:
        yield from _answer(answer)
    yield from _head("Timeline")
    yield from _table(("at", "what"), [shared.moment(one) for one in shared.rows(sheet)])


def _written(written: Written) -> Iterator[str]:
    yield from _head(written.kata)
    yield _t(" · ".join(shared.history(written)))
    yield ""
    yield _t(f"What counts: {written.taken}.")
    for version in written.versions:
        yield from ("", f"### {_t(shared.version_head(version))}", "")
        yield from (f"- {_t(note)}" for note in shared.version_notes(version))
        yield from _fenced(shared.version_call(version))
    if written.final and written.final.source:
        yield from ("", "The code that counts:")
        yield from _fenced(shared.source(written.final).split("\n"), "python")


def _answer(answer: Answer) -> Iterator[str]:
    yield from ("", f"### {_t(answer.ask)}", "", _t(shared.answer_head(answer)))
    yield from _fenced(shared.said(answer))
    if answer.verdict:
        yield from ("", _t(answer.verdict))
    if not answer.skipped and answer.checked is None and answer.points:
        yield ""
        yield from (f"- {shared.tick(made)} {_t(point)}" for point, made in answer.points)


def _head(title: str) -> Iterator[str]:
    yield from ("", f"## {_t(title)}", "")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    yield from (f"| {' | '.join(_t(cell) for cell in row)} |" for row in rows)


def _fenced(lines: Sequence[str], language: str = "") -> Iterator[str]:
    """A block that nothing in it can end."""
    if not lines:
        return
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from ("", fence + language, *lines, fence)


def _t(text: str) -> str:
    """Text of anybody, as text: what is invisible is made visible before."""
    return _SPECIAL.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", readable(text))
