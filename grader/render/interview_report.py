"""The report of an interview on a screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.interview.facts import Answer, Criterion, Examined, Sheet, Written
from grader.model import Outcome
from grader.render import words
from grader.render.case import mark, style_of
from grader.render.formats import sheet as shared
from grader.render.interview import point_lines
from grader.render.page import Page, line_of

_BAR = 24


@dataclass(frozen=True, slots=True)
class SheetView:
    """Everything, from the marks down to the timeline."""

    sheet: Sheet

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, sheet = Page(console, options), self.sheet
        yield line_of(Text(page.readable(sheet.title), "kata.name"))
        for fact in shared.facts(sheet):
            yield from page.prose(fact, indent=0, style="kata.quiet")
        holds, told = shared.journal(sheet)
        for line in told:
            yield from page.prose(line, indent=0, style="kata.quiet" if holds else "kata.failed")
        yield from _head(page, shared.total(sheet))
        for criterion in sheet.rubric:
            yield from _criterion(page, criterion)
        for note in sheet.notes:
            lead = Text("  note         ", "kata.quiet")
            yield from page.wrapped(Text(page.readable(note)), indent=lead.cell_len, first=lead)
        yield from _head(page, "stages")
        yield from _stages(page, sheet)
        for written in sheet.written:
            yield from _written(page, written)
        if sheet.answers:
            yield from _head(page, "answers")
        for answer in sheet.answers:
            yield from _answer(page, answer)
        yield from _head(page, "timeline")
        for moment in shared.rows(sheet):
            when, text = shared.moment(moment)
            style = "" if moment.good is None else "kata.passed" if moment.good else "kata.failed"
            lead = Text(f"  {when:>7}  ", "kata.quiet")
            yield from page.wrapped(Text(page.readable(text), style), indent=11, first=lead)


def _head(page: Page, title: str) -> Iterator[Text]:
    yield Text()
    yield line_of(Text(page.readable(title), "bold"))


def _criterion(page: Page, criterion: Criterion) -> Iterator[Text]:
    marks = page.readable(shared.mark_of(criterion))
    lead = Text(f"  {criterion.name:<14} ").append(f"{marks:>5}  ", "bold")
    evidence = Text(page.readable(criterion.evidence), "kata.quiet")
    yield from page.wrapped(evidence, indent=lead.cell_len, first=lead)


def _stages(page: Page, sheet: Sheet) -> Iterator[Text]:
    most = max(len(stage.title) for stage in sheet.stages)
    longest = max(max(stage.spent_s or 0.0, stage.planned_s) for stage in sheet.stages)
    for stage in sheet.stages:
        lead = f"  {page.readable(stage.title):<{most}}  "
        if stage.spent_s is None:
            yield line_of(Text(lead), Text("not reached", "kata.quiet"))
            continue
        bar = ("=" if page.ascii_only else "▄") * round(_BAR * stage.spent_s / longest)
        times = f"{words.clock(stage.spent_s)} of {words.clock(stage.planned_s)}  "
        over = "kata.failed" if stage.spent_s > stage.planned_s * 1.1 else "kata.passed"
        yield line_of(Text(lead), Text(times), Text(bar, over))


def _written(page: Page, written: Written) -> Iterator[Text]:
    yield from _head(page, written.kata)
    yield from page.prose(page.joined(*shared.history(written)))
    yield from page.prose(f"What counts: {written.taken}.", style="kata.quiet")
    for version in written.versions:
        yield from _version(page, version)


def _version(page: Page, version: Examined) -> Iterator[Text]:
    outcome = Outcome(version.outcome) if version.outcome in list(Outcome) else None
    lead = Text("  ").append_text(mark(page, outcome)).append(" ")
    head = Text(page.readable(shared.version_head(version)), style_of(outcome))
    yield from page.wrapped(head, indent=4, first=lead)
    for note in shared.version_notes(version):
        yield from page.prose(note, indent=6)
    for line in shared.version_call(version):
        yield from page.code([page.visible(line)], indent=8, style="kata.call")


def _answer(page: Page, answer: Answer) -> Iterator[Text]:
    yield from page.prose(answer.ask)
    yield from page.prose(f"{shared.answer_head(answer)} · {answer.id}", style="kata.quiet")
    for line in shared.said(answer):
        yield from page.prose(line, indent=6)
    if answer.verdict:
        yield from page.prose(answer.verdict, indent=6)
    if not answer.skipped and answer.checked is None:
        for number, (point, made) in enumerate(answer.points, start=1):
            yield from point_lines(page, number, point, made)
