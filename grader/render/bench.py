"""What `kata bench` measured: tables for a terminal or a page, and a chart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Contest, Proof, Runner, Side, Timing
from grader.render import words
from grader.render.chart import dots
from grader.render.escape import readable
from grader.render.page import Page
from grader.render.table import Table, markdown, table_lines
from grader.render.theme import UNICODE, Glyphs
from grader.render.timing import exponent, short_of_sizes


@dataclass(frozen=True, slots=True)
class BenchView:
    """The timing of one kata."""

    kata: str
    timing: Timing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, timing = Page(console, options), self.timing
        title = f"{self.kata} {page.glyphs.dot} {timing.corpus}"
        yield from page.prose(title, indent=0, style="kata.name")
        yield from page.prose(timing.workload, indent=0)
        for table in timing_tables(timing, page.glyphs):
            yield Text()
            yield from table_lines(page, table)
        yield Text()
        for note in timing_notes(timing):
            yield from page.prose(note, indent=2, style="kata.quiet")


@dataclass(frozen=True, slots=True)
class ContestView:
    """The table of a contest, its chart, and what is known of the merges."""

    contest: Contest

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, contest = Page(console, options), self.contest
        yield from page.prose(contest_title(contest, page.glyphs), indent=0, style="kata.name")
        yield Text()
        yield from table_lines(page, contest_table(contest, page.glyphs))
        timed = [(r.name, r.cpu_s) for r in contest.runners if r.cpu_s]
        if timed:
            yield Text()
            yield from dots(page, timed)
        yield Text()
        for note in contest_notes(contest):
            yield from page.prose(note, indent=2, style="kata.quiet")


def timing_markdown(kata: str, timing: Timing) -> str:
    """The same as a section of a page."""
    parts = [f"## {kata}", f"{timing.corpus}, {timing.workload}"]
    parts += [markdown(table).rstrip() for table in timing_tables(timing, UNICODE)]
    parts += timing_notes(timing)
    return _page(parts)


def contest_markdown(contest: Contest) -> str:
    """The same as a section of a page."""
    parts = [f"## {contest_title(contest, UNICODE)}"]
    parts += [markdown(contest_table(contest, UNICODE)).rstrip(), *contest_notes(contest)]
    return _page(parts)


def _page(parts: list[str]) -> str:
    lines = "\n\n".join(parts).split("\n")
    return "\n".join(map(readable, lines)) + "\n"


# --- one kata -------------------------------------------------------------------------


def timing_tables(timing: Timing, glyphs: Glyphs) -> Iterator[Table]:
    """Times, growth and stages, each where it was measured."""
    sides = [side for side in timing.sides if side.pass_s is not None]
    if not sides:
        return
    head = ("", "CPU", "to the reference", "first calls", "later", "peak")
    times = [_time_row(side, glyphs) for side in sides]
    told = [i for i in range(len(head)) if any(row[i] != glyphs.dash for row in times)]
    yield Table("", tuple(head[i] for i in told), tuple(tuple(r[i] for i in told) for r in times))
    if any(side.growths for side in sides):
        yield _growth_table(sides, glyphs)
    staged = [side for side in sides if side.stages]
    if staged:
        names = ("", *(stage.name for stage in staged[0].stages))
        rows = tuple(
            (side.name, *(words.duration(stage.seconds) for stage in side.stages))
            for side in staged
        )
        yield Table("stages, CPU on 1 MB", names, rows)


def _time_row(side: Side, glyphs: Glyphs) -> tuple[str, ...]:
    def time(seconds: float | None) -> str:
        return glyphs.dash if seconds is None else words.duration(seconds)

    peak = glyphs.dash if side.peak_mib is None else f"{side.peak_mib:,.0f} MiB"
    ratio = "1" if side.name == "reference" else words.ratio(side.ratio or 0, side.spread, glyphs)
    return (side.name, time(side.pass_s), ratio, time(side.first_s), time(side.steady_s), peak)


def _growth_table(sides: list[Side], glyphs: Glyphs) -> Table:
    measured = [side for side in sides if side.growths]
    rows = tuple(
        (growths[0].axis, *(exponent(glyphs, growth) for growth in growths))
        for growths in zip(*(side.growths for side in measured), strict=True)
    )
    return Table("CPU time grows with the", ("", *(side.name for side in measured)), rows)


def timing_notes(timing: Timing) -> Iterator[str]:
    """What to make of the numbers."""
    if timing.note:
        yield f"{timing.note[:1].upper()}{timing.note[1:]}."
    for side in timing.sides:
        if side.pass_s is None:
            yield f"The {side.name} version is left out: {side.note or 'its time is used up'}."
        elif side.note:
            yield f"{side.name}: {side.note}."
        for growth in side.growths:
            if growth.exponent is None:
                yield f"{side.name}, {growth.axis}: {short_of_sizes(growth)}."
    if timing.pairs:
        runs = words.count(timing.pairs, "pair")
        yield f"Ratios are medians of CPU-time ratios, {runs}; seconds belong to this machine."


# --- a contest ------------------------------------------------------------------------

_UNITS = {"train": "merges", "encode": "tokens"}


def contest_title(contest: Contest, glyphs: Glyphs) -> str:
    """What was done, on what."""
    what = {"train": "training", "encode": "encoding"}[contest.job]
    return f" {glyphs.dot} ".join((what, contest.corpus, contest.workload))


def contest_table(contest: Contest, glyphs: Glyphs) -> Table:
    """A row for each runner, the first of them what the others are compared with."""
    first = next((runner.name for runner in contest.runners if runner.ratio), "")
    head = ("", "CPU", f"to {first}", "wall", "peak", f"same {_UNITS[contest.job]}")
    rows = tuple(_contest_row(runner, runner.name == first, glyphs) for runner in contest.runners)
    return Table("", head, rows)


def _contest_row(runner: Runner, first: bool, glyphs: Glyphs) -> tuple[str, ...]:
    name = f"{runner.name} {runner.version}" if runner.version else runner.name
    if runner.cpu_s is None or runner.wall_s is None or runner.ratio is None:
        return (name, *[glyphs.dash] * 5)
    return (
        name,
        words.duration(runner.cpu_s),
        "1" if first else words.ratio(runner.ratio, runner.spread, glyphs),
        words.duration(runner.wall_s),
        f"{runner.peak_mib:,.0f} MiB",
        _same(runner, glyphs),
    )


def _same(runner: Runner, glyphs: Glyphs) -> str:
    if runner.of is None:
        return glyphs.dash
    if runner.equal == runner.of:
        return f"all {runner.of:,}"
    return "no" if runner.equal is None else f"the first {runner.equal:,}"


def contest_notes(contest: Contest) -> Iterator[str]:
    """What has no time and why, what the merges are worth, and how it was measured."""
    for runner in contest.runners:
        if runner.note:
            yield f"{runner.name}: {runner.note}."
    yield from _proved([(r.name, r.proof) for r in contest.runners if r.proof])
    if contest.job == "train":
        cost = "CPU of a fresh process from its start to the trained model, all its threads"
    else:
        cost = "CPU of encoding alone, one thread, nothing cached before; the text is in memory"
    yield f"{cost}; medians of {words.count(contest.rounds, 'round')}. Peak: the largest process."


def _proved(found: list[tuple[str, Proof]]) -> Iterator[str]:
    """Whose merges are right, and by which rules they decide ties."""
    for name, proof in found:
        if proof.wrong_at is not None:
            yield f"{name}: merge {proof.wrong_at:,} joins a pair that another outnumbers."
    right = [(name, proof) for name, proof in found if proof.wrong_at is None]
    if right:
        yield f"Each merge joins a most frequent pair: {_listed(name for name, _ in right)}."
    rules: dict[str, list[str]] = {}
    for name, proof in right:
        rule, agreed = proof.rule
        if proof.ties:
            known = f"Ties go to {rule}"
            other = f"Ties by no rule known here; {rule} in {agreed:,} of {proof.ties:,}"
            rules.setdefault(known if agreed == proof.ties else other, []).append(name)
    yield from (f"{rule}: {_listed(names)}." for rule, names in rules.items())
    ties = [proof.ties for _, proof in right if proof.ties]
    if ties:
        yield f"The rules were checked on at least {min(ties):,} ties of each."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
