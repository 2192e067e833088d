"""A batch as a table: a line a student, what did not pass, and what an instructor must look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.gradebook import Cohort, Entry, Mark
from grader.render import words
from grader.render.formats.lines import points
from grader.render.page import Page, line_of
from grader.render.values import fitted

_NAME_WIDTH = 32
_GAP = "  "
_NAMED = 5  # students in a remark about many


@dataclass(frozen=True, slots=True)
class BatchView:
    """The whole batch."""

    cohort: Cohort

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, cohort = Page(console, options), self.cohort
        yield from _table(page, cohort)
        yield Text()
        yield from _remarks(page, cohort)
        yield from page.prose(_sum(page, cohort), indent=0)


@dataclass(frozen=True, slots=True)
class MarkLine:
    """One kata of one fork for which there is no report to show."""

    mark: Mark

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, mark = Page(console, options), self.mark
        lead = Text(f"{mark.kata:<16}  ", "kata.name").append(f"{mark.result}  ", "kata.failed")
        yield from page.wrapped(Text(page.readable(mark.text or "")), indent=4, first=lead)


@dataclass(frozen=True, slots=True)
class Points:
    """What one fork has earned, and what an instructor must look at."""

    cohort: Cohort

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        (entry,) = self.cohort.entries
        passed = sum(mark.passed for mark in entry.marks)
        told = page.joined(
            f"{passed} of {len(entry.marks)} passed",
            f"{points(entry.points)} of {points(entry.max_points)} points",
            f"seed {self.cohort.seed}",
        )
        yield from _remarks(page, self.cohort)
        yield from page.prose(told, indent=0)


def _table(page: Page, cohort: Cohort) -> Iterator[Text]:
    names = [fitted(page.visible(e.student), _NAME_WIDTH, page.glyphs.cut) for e in cohort.entries]
    width = max([len("student"), *map(cell_len, names)])
    scores = [f"{points(e.points)}/{points(e.max_points)}" for e in cohort.entries]
    room = max([len("points"), *map(len, scores)])
    head = f"{set_cell_size('student', width)}{_GAP}passed{_GAP}{'points':>{room}}{_GAP}not passed"
    yield line_of(Text(head, "kata.quiet"))
    for entry, name, score in zip(cohort.entries, names, scores, strict=True):
        passed = f"{sum(m.passed for m in entry.marks)} of {len(entry.marks)}"
        lead = Text(set_cell_size(name, width), "kata.name")
        lead.append(f"{_GAP}{passed:<6}", "kata.passed" if entry.passed else "kata.failed")
        lead.append(f"{_GAP}{score:>{room}}{_GAP}", "none")
        yield from page.wrapped(Text(_missed(page, entry)), indent=lead.cell_len, first=lead)


def _missed(page: Page, entry: Entry) -> str:
    """`encode_bpe WRONG`, or one word for all where they share it."""
    missed = [mark for mark in entry.marks if not mark.passed]
    results = {mark.result for mark in missed}
    if len(missed) > 1 and len(missed) == len(entry.marks) and len(results) == 1:
        return f"all {results.pop()}"
    return page.joined(*(f"{mark.kata} {mark.result}" for mark in missed))


def _remarks(page: Page, cohort: Cohort) -> Iterator[Text]:
    said = [*_similar(cohort), *_changed(cohort), *_late(cohort)]
    for text in said:
        yield from page.prose(text, indent=2)
    if said:
        yield Text()


def _similar(cohort: Cohort) -> Iterator[str]:
    for entry in cohort.entries:
        names = ", ".join(mark.kata for mark in entry.marks if mark.similar)
        if names:
            yield f"{_lead(cohort, entry)}{names} equals the reference but for names and layout."


def _changed(cohort: Cohort) -> Iterator[str]:
    """One remark for all: in a class of older forks it holds for everybody."""
    found = [
        (entry.student, mark.kata)
        for entry in cohort.entries
        for mark in entry.marks
        if mark.statement_changed
    ]
    if not found:
        return
    names = ", ".join(dict.fromkeys(kata for _, kata in found))
    whose = list(dict.fromkeys(student for student, _ in found))
    listed = ", ".join(whose[:_NAMED]) + (", …" if len(whose) > _NAMED else "")
    of = f" of {words.count(len(whose), 'student')} ({listed})" if cohort.several else ""
    yield f"The statement of {names}{of} is not this grader's; the fork may be older."


def _late(cohort: Cohort) -> Iterator[str]:
    for entry in cohort.entries:
        origin = entry.origin
        if origin.later_commits:
            left = words.count(origin.later_commits, "commit")
            yield (
                f"{_lead(cohort, entry)}{left} after the deadline left out; graded is "
                f"{(origin.commit or '')[:12]}, committed {origin.committed}, authored "
                f"{origin.authored}."
            )


def _lead(cohort: Cohort, entry: Entry) -> str:
    return f"{entry.student}: " if cohort.several else ""


def _sum(page: Page, cohort: Cohort) -> str:
    marks = [mark for entry in cohort.entries for mark in entry.marks]
    return page.joined(
        words.count(len(cohort.entries), "student"),
        f"{sum(mark.passed for mark in marks):,} of {words.count(len(marks), 'kata')} passed",
        f"seed {cohort.seed}",
    )
