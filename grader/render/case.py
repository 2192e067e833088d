"""One failing case: law, call, the two values, where they part, what was printed."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from grader.model import Counterexample, Outcome, Report, Verdict
from grader.render import words
from grader.render.escape import visible_lines
from grader.render.page import Page, line_of
from grader.render.steps import step_lines
from grader.render.values import aligned, compared, fitted, folded

#: How much of what a program can make long is shown.
CALL_LINES = 12
CUT_CALL_LINES = 4
PRINT_LINES = 8
MESSAGE_CHARS = 600


def style_of(outcome: Outcome | None) -> str:
    """The style's name of an outcome."""
    if outcome is Outcome.PASS:
        return "kata.passed"
    return "kata.unwritten" if outcome in (Outcome.UNWRITTEN, None) else "kata.failed"


def mark(page: Page, outcome: Outcome | None) -> Text:
    """The sign in front of a kata or a case."""
    glyph = page.glyphs.failed
    if outcome is Outcome.PASS:
        glyph = page.glyphs.passed
    elif outcome in (Outcome.UNWRITTEN, None):
        glyph = page.glyphs.idle
    return Text(glyph, style_of(outcome))


def lead_of(page: Page, outcome: Outcome | None) -> Text:
    """`✗ WRONG  `, in front of what failed."""
    word = "" if outcome is None else f" {outcome.value}  "
    return Text("  ").append_text(mark(page, outcome)).append(word, style_of(outcome))


def case_lines(page: Page, report: Report, verdict: Verdict) -> Iterator[Text]:
    """The law that does not hold, and the call that shows it."""
    lead = lead_of(page, verdict.outcome)
    law = Text(page.readable(verdict.title), "kata.law")
    yield from page.wrapped(law, indent=lead.cell_len, first=lead)
    if verdict.counterexample:
        yield Text()
        yield from _counterexample(page, report, verdict.counterexample)


def place_of(page: Page, report: Report, line: int | None) -> Text:
    """`file:line`, as editors link it."""
    where = page.visible(report.submission.path)
    return Text(f"{where}:{line}" if line else where, "kata.place")


def print_lines(page: Page, prints: str) -> Iterator[Text]:
    """What the student printed, behind a bar, the first lines of it."""
    lines = visible_lines(prints.rstrip("\r\n"), ascii_only=page.ascii_only)
    if not lines:
        return
    yield Text()
    yield from page.prose("printed during this call:", indent=6, style="kata.quiet")
    room = page.width - 8
    for line in lines[:PRINT_LINES]:
        yield line_of(
            Text(f"      {page.glyphs.bar} ", "kata.quiet"),
            Text(fitted(line, room, page.glyphs.cut)),
        )
    if len(lines) > PRINT_LINES:
        rest = words.count(len(lines) - PRINT_LINES, "more line")
        yield from page.prose(f"{page.glyphs.cut} {rest}", indent=6, style="kata.quiet")


def shortened(page: Page, text: str) -> str:
    if len(text) <= MESSAGE_CHARS:
        return text
    return text[:MESSAGE_CHARS] + page.glyphs.cut


def _counterexample(page: Page, report: Report, found: Counterexample) -> Iterator[Text]:
    yield from _call(page, found.call)
    note = list(page.prose(shortened(page, found.note), indent=6)) if found.note else []
    if found.line:
        note.insert(0, _failing_line(page, report, found))
    if note:
        yield Text()
        yield from note
    yield from _values(page, found)
    yield from step_lines(page, found.steps)
    yield from print_lines(page, found.prints)


def _call(page: Page, source: str) -> Iterator[Text]:
    room = page.width - 6
    source = page.visible_code(source)
    if len(source) <= room * CALL_LINES:
        lines = folded(source, room)
        if len(lines) <= CALL_LINES:
            yield from page.code(lines, indent=6, style="kata.call")
            return
    lines = folded(source[: room * CALL_LINES], room)[:CUT_CALL_LINES]
    lines = [fitted(line, room, page.glyphs.cut) for line in lines]
    lines[-1] = lines[-1].removesuffix(page.glyphs.cut) + page.glyphs.cut
    yield from page.code(lines, indent=6, style="kata.call")
    told = f"(cut from {words.count(len(source), 'character')}; --format json has all of it)"
    yield from page.prose(told, indent=6, style="kata.quiet")


def _values(page: Page, found: Counterexample) -> Iterator[Text]:
    if found.yours is None and found.expected is None:
        return
    yield Text()
    room = page.width - 17
    if found.yours is None or found.expected is None:
        yield from _single_value(page, found, room)
        return
    pair = aligned(found.yours, found.expected)
    shown = compared(page.visible(pair[0]), page.visible(pair[1]), room, page.glyphs.cut)
    yield _labelled("yours", shown.yours, "kata.yours")
    yield _labelled("expected", shown.expected, "kata.expected")
    if shown.column is not None:
        yield _caret(page, shown.column, room)
    if shown.cut:
        yield from _cut_note(page, max(pair, key=len))


def _single_value(page: Page, found: Counterexample, room: int) -> Iterator[Text]:
    for label, value, style in (
        ("yours", found.yours, "kata.yours"),
        ("expected", found.expected, "kata.expected"),
    ):
        if value is not None:
            yield _labelled(label, fitted(page.visible(value), room, page.glyphs.cut), style)
            if cell_len(page.visible(value)) > room:
                yield from _cut_note(page, value)


def _cut_note(page: Page, value: str) -> Iterator[Text]:
    told = f"(cut from {words.count(len(value), 'character')}; --format json has all of it)"
    yield from page.prose(told, indent=17, style="kata.quiet")


def _labelled(label: str, value: str, style: str) -> Text:
    return line_of(Text(f"      {label:<11}", "kata.quiet"), Text(value, style))


def _caret(page: Page, column: int, room: int) -> Text:
    """The mark under the first difference, with its words on the side that has room."""
    told = "first difference"
    text = f"{page.glyphs.up} {told}"
    if column + len(text) > room:
        text = f"{told} {page.glyphs.up}" if column > len(told) else page.glyphs.up
        column -= len(text) - 1
    return line_of(Text(" " * (17 + column)), Text(text, "kata.difference"))


def _failing_line(page: Page, report: Report, found: Counterexample) -> Text:
    place = place_of(page, report, found.line)
    room = page.width - place.cell_len - 10
    text = fitted(page.visible((found.line_text or "").strip()), max(room, 20), page.glyphs.cut)
    return line_of(Text("      "), place, Text(f"    {text}".rstrip()))
