"""One report as one screen: verdict, tiers, the smallest failing case, timing, next step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Counterexample, Diagnosis, Outcome, Report, Tier, Verdict
from grader.render import words
from grader.render.case import (
    case_lines,
    lead_of,
    mark,
    place_of,
    print_lines,
    shortened,
    style_of,
)
from grader.render.page import Page, line_of
from grader.render.timing import timing_lines
from grader.render.values import fitted

#: `Isolation.level` of a report for which nothing was run.
UNUSED = "not used"

_TIER_NAMES = {
    Tier.EXAMPLE: "examples",
    Tier.LAW: "laws",
    Tier.LIMIT: "limits",
    Tier.STRETCH: "stretch",
}


@dataclass(frozen=True, slots=True)
class ReportView:
    """The whole screen of one kata."""

    report: Report
    next_steps: tuple[str, ...] = ()
    all_failures: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, report = Page(console, options), self.report
        yield from _head(page, report)
        yield Text()
        if report.outcome is Outcome.UNWRITTEN:
            yield from _unwritten(page, report)
        else:
            yield from _tiers(page, report)
            yield from _findings(page, report, self.all_failures)
            yield from timing_lines(page, report.kata.name, report.timing)
        yield from next_line(page, self.next_steps)


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A kata in one line, for a run over several."""

    report: Report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, report = Page(console, options), self.report
        inputs = sum(verdict.inputs for verdict in report.verdicts)
        facts = [words.count(inputs, "input")] if report.passed else []
        if report.timing and report.timing.ratio is not None:
            facts.append(words.ratio(report.timing.ratio, report.timing.spread, page.glyphs))
        if report.outcome is Outcome.UNWRITTEN:
            facts.append(page.visible(report.submission.path))
        yield line_of(
            mark(page, report.outcome),
            Text(f" {report.kata.name:<16}", "kata.name"),
            Text(f"  {report.outcome.value:<9}", style_of(report.outcome)),
            Text("  " + page.joined(*facts) if facts else ""),
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """The last line of a run over several katas."""

    reports: tuple[Report, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        passed = sum(report.passed for report in self.reports)
        seeds = {f"seed {report.seed}" for report in self.reports}
        used = {report.isolation.level for report in self.reports} - {UNUSED}
        levels = {f"isolation {level}" for level in used}
        shared = [value for values in (seeds, levels) if len(values) == 1 for value in values]
        done = passed == len(self.reports)
        yield line_of(
            Text(f"{passed} of {len(self.reports)} passed", "kata.passed" if done else "bold"),
            Text("".join(f" {page.glyphs.dot} {fact}" for fact in shared)),
        )


def next_line(page: Page, steps: tuple[str, ...]) -> Iterator[Text]:
    """`next: one command · another`, each command whole on its line."""
    if not steps:
        return
    yield Text()
    line = Text("  next: ")
    for number, step in enumerate(steps):
        lead = f" {page.glyphs.dot} " if number else ""
        if number and cell_len(line.plain + lead + step) > page.width:
            yield line_of(line)
            line, lead = Text("        "), ""
        line.append(lead).append(page.visible(step), "kata.command")
    yield line_of(line)


def _head(page: Page, report: Report) -> Iterator[Text]:
    kata = report.kata
    name = line_of(
        Text(kata.name, "kata.name"),
        Text(f" {page.glyphs.dot} {page.joined(kata.level, f'{kata.minutes} min')}"),
    )
    if report.isolation.level == UNUSED:
        yield name
        return
    facts = Text(
        page.joined(f"seed {report.seed}", f"isolation {report.isolation.level}"), "kata.quiet"
    )
    gap = page.prose_width - name.cell_len - facts.cell_len
    if gap >= 2:
        yield line_of(name, Text(" " * gap), facts)
    else:
        yield line_of(name)
        yield line_of(facts)
    if report.isolation.level != "full" and report.isolation.note:
        yield from page.prose(report.isolation.note, indent=0, style="kata.quiet")


def _unwritten(page: Page, report: Report) -> Iterator[Text]:
    default = (
        f"{report.submission.path} is still the stub, so there is nothing to judge yet. "
        "Open it, read the statement, and write the function where it says "
        "`raise NotImplementedError`."
    )
    yield from page.wrapped(
        Text(page.readable(report.message or default)),
        indent=4,
        first=Text("  ").append_text(mark(page, report.outcome)).append(" "),
    )


def _tiers(page: Page, report: Report) -> Iterator[Text]:
    for tier in Tier:
        verdicts = [verdict for verdict in report.verdicts if verdict.tier is tier]
        if verdicts:
            yield _tier_line(page, tier, verdicts, _noun(report))
    if report.verdicts:
        yield Text()


def _noun(report: Report) -> str:
    """What laws are tried on: a file holds many generated documents."""
    files = any(parameter.file for parameter in report.kata.signature.parameters)
    return "generated document" if files else "generated input"


def _tier_line(page: Page, tier: Tier, verdicts: list[Verdict], noun: str) -> Text:
    judged = [verdict for verdict in verdicts if verdict.outcome is not None]
    passed = sum(verdict.outcome is Outcome.PASS for verdict in judged)
    count = f"{passed} of {len(verdicts)}" if judged else page.glyphs.dash
    style = "kata.passed" if passed == len(verdicts) else "kata.failed" if judged else "kata.quiet"
    return line_of(
        Text(f"  {_TIER_NAMES[tier]:<9}  "),
        Text(f"{count:<9}", style if tier is not Tier.STRETCH else "none"),
        Text(("  " + _tier_note(page, tier, verdicts, judged, noun)).rstrip(), "kata.quiet"),
    )


def _tier_note(
    page: Page, tier: Tier, verdicts: list[Verdict], judged: list[Verdict], noun: str
) -> str:
    if tier is Tier.STRETCH and not judged:
        return "after a pass"
    missing = len(verdicts) - len(judged)
    inputs = sum(verdict.inputs for verdict in judged)
    return page.joined(
        words.count(inputs, noun) if tier is Tier.LAW and inputs else "",
        f"{missing} not run" if missing else "",
    )


def _findings(page: Page, report: Report, all_failures: bool) -> Iterator[Text]:
    """What stands between the counts and the timing: the verdict and its reasons."""
    if report.problem or report.message:
        yield from _problem(page, report)
        return
    failed = [v for v in report.verdicts if v.outcome not in (Outcome.PASS, None)]
    scored = [v for v in failed if v.tier is not Tier.STRETCH]
    if report.passed:
        yield from _passed(page, report, failed)
    for number, verdict in enumerate(failed if all_failures else scored[:1]):
        if number or report.passed:
            yield Text()
        yield from case_lines(page, report, verdict)
    yield from _diagnosis(page, report.diagnosis)
    if not all_failures:
        yield from _others(page, report, len(scored) - 1)


def _problem(page: Page, report: Report) -> Iterator[Text]:
    """What is wrong with the whole file: place, line, message; or our own fault."""
    lead = lead_of(page, report.outcome)
    if report.problem:
        yield line_of(lead, place_of(page, report, report.problem.line))
        yield from _problem_line(page, report.problem)
        yield from page.prose(shortened(page, report.problem.note or ""), indent=4)
        yield from print_lines(page, report.problem.prints)
    for number, line in enumerate(shortened(page, report.message or "").splitlines()):
        first = None if number or report.problem else lead
        yield from page.wrapped(Text(page.readable(line)), indent=4, first=first)
    if report.outcome is Outcome.BROKEN:
        yield from page.prose(
            "This is the grader's fault and never counts against you. Please report it.", indent=4
        )


def _problem_line(page: Page, problem: Counterexample) -> Iterator[Text]:
    source = (problem.line_text or "").strip()
    if source:
        text = fitted(page.visible(source), page.width - 6, page.glyphs.cut)
        yield from page.code([text], indent=6, style="kata.call")


def _passed(page: Page, report: Report, stretch: list[Verdict]) -> Iterator[Text]:
    yield line_of(Text("  "), mark(page, report.outcome), Text(" PASS", "kata.passed"))
    if stretch:
        yield from page.prose("An interviewer's next question, still open:", indent=4)
    for verdict in stretch:
        lead = Text(f"    {page.glyphs.dash} ")
        yield from page.wrapped(Text(page.readable(verdict.title)), indent=6, first=lead)


def _diagnosis(page: Page, diagnosis: Diagnosis | None) -> Iterator[Text]:
    """The mistake's name, what to look at, and how sure that is; or the same of two."""
    if diagnosis is None:
        return
    yield Text()
    yield from page.prose(diagnosis.title, indent=4, style="kata.advice")
    for number, paragraph in enumerate(diagnosis.text.split("\n\n")):
        if number and paragraph.startswith("Or: "):
            other, _, paragraph = paragraph.partition("\n")
            yield from page.prose(other, indent=4, style="kata.advice")
        yield from page.prose(" ".join(paragraph.split()), indent=4)
    yield from page.prose(_how_sure(diagnosis), indent=4, style="kata.quiet")


def _how_sure(diagnosis: Diagnosis) -> str:
    agree, asked = diagnosis.agrees
    two = " " in diagnosis.id
    if diagnosis.kind == "cost":
        ways = "these are the known ways" if two else "this is the known way"
        return f"Your answers are right; {ways} to miss {'that limit' if asked == 1 else 'both'}."
    if two:
        told = f"both mistakes on {agree} of {asked} inputs; none of these tells the two apart."
    else:
        told = f"this mistake on {agree} of {asked} inputs that tell it apart."
    return f"Your answers are those of {told}"


def _others(page: Page, report: Report, others: int) -> Iterator[Text]:
    if others > 0:
        fail, them = ("fails", "it") if others == 1 else ("fail", "them")
        told = f"{words.count(others, 'more case')} {fail}"
        yield Text()
        yield from page.prose(
            f"{told}; kata run {report.kata.name} --all-failures shows {them}.", indent=4
        )
