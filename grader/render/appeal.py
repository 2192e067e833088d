"""A case in full, for the instructor: the test, the call, both values, the steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Counterexample, Report, Verdict
from grader.render.case import lead_of
from grader.render.escape import visible_lines
from grader.render.page import Page, line_of
from grader.render.steps import step_lines
from grader.render.values import folded


@dataclass(frozen=True, slots=True)
class CaseInFull:
    """Nothing is cut."""

    student: str
    report: Report
    verdict: Verdict
    source: str  # the test's own text, or empty

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, report, verdict = Page(console, options), self.report, self.verdict
        facts = page.joined(
            page.visible(self.student), report.kata.name, page.visible(verdict.id),
            verdict.tier.value, f"seed {report.seed}",
        )  # fmt: skip
        yield line_of(Text(facts, "kata.name"))
        yield Text()
        lead = lead_of(page, verdict.outcome)
        yield from page.wrapped(
            Text(page.readable(verdict.title), "kata.law"), indent=lead.cell_len, first=lead
        )
        if self.source:
            yield Text()
            lines = [page.visible(line) for line in self.source.splitlines()]
            yield from page.code(lines, indent=6, style="kata.quiet")
        if verdict.counterexample:
            yield from _counterexample(page, verdict.counterexample)
        if report.diagnosis:
            yield Text()
            yield from page.prose(report.diagnosis.title, indent=4, style="kata.advice")


def _counterexample(page: Page, found: Counterexample) -> Iterator[Text]:
    yield Text()
    for line in found.call.splitlines():
        lines = folded(page.visible(line), page.width - 6)
        yield from page.code(lines, indent=6, style="kata.call")
    for label, value, style in (
        ("yours", found.yours, "kata.yours"),
        ("expected", found.expected, "kata.expected"),
    ):
        if value is not None:
            yield Text()
            yield line_of(Text(f"      {label}", "kata.quiet"))
            lines = folded(page.visible(value), page.width - 8)
            yield from page.code(lines, indent=8, style=style)
    if found.note:
        yield Text()
        where = f" (line {found.line})" if found.line else ""
        yield from page.prose(found.note + where, indent=6)
    yield from step_lines(page, found.steps)
    printed = visible_lines(found.prints, ascii_only=page.ascii_only)
    if printed:
        yield Text()
        yield from page.prose("printed during this call:", indent=6, style="kata.quiet")
        yield from page.code([f"{page.glyphs.bar} {t}" for t in printed], indent=6, style="")
