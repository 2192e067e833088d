"""The timing at the end of a report: three lines of facts, and what to make of them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from grader.model import Growth, Side, Timing
from grader.render import words
from grader.render.page import Page
from grader.render.theme import Glyphs


def timing_lines(page: Page, kata: str, timing: Timing | None) -> Iterator[Text]:
    """A blank line, then what was timed, the ratio, the growth, and how long that may take."""
    if timing is None:
        return
    yield Text()
    yield from page.prose(f"time on {timing.corpus}, {timing.workload}", indent=2)
    if facts := list(_facts(page, timing)):
        yield from page.prose(page.joined(*facts), indent=2)
    for side in timing.sides[:1]:
        for growth in side.growths:
            yield from page.prose(growth_text(page, growth), indent=2)
    if timing.note:
        yield from page.prose(timing.note, indent=2, style="kata.quiet")
    if timing.budget_s:
        limit = f"at most {timing.budget_s:g} s are spent on this; "
        more = f"`kata bench {kata}` takes longer and tells more"
        yield from page.prose(limit + more, indent=2, style="kata.quiet")


def growth_text(page: Page, growth: Growth) -> str:
    """`grows n^1.02 ± 0.01 with the words in the table, 500 to 8,000`."""
    if growth.exponent is None:
        return f"growth with the {growth.axis}: {short_of_sizes(growth)}"
    sizes = f"{growth.sizes[0]:,} to {growth.sizes[-1]:,}"
    return f"grows {exponent(page.glyphs, growth)} with the {growth.axis}, {sizes}"


def exponent(glyphs: Glyphs, growth: Growth) -> str:
    """`n^1.02 ± 0.01`; a dash where there is none."""
    if growth.exponent is None:
        return glyphs.dash
    text = f"n^{growth.exponent:.2f}"
    return text if growth.spread is None else f"{text} {glyphs.spread} {growth.spread:.2f}"


def short_of_sizes(growth: Growth) -> str:
    """Why there is no exponent."""
    if not growth.sizes:
        return "no size was done in the time"
    done = words.count(len(growth.sizes), "size")
    took = words.duration(growth.seconds[-1])
    return f"only {done} in the time ({growth.sizes[-1]:,} took {took}), four are needed"


def naive_of(timing: Timing) -> Side | None:
    """The naive version, where it got an answer."""
    return next((s for s in timing.sides if s.name == "naive" and s.ratio is not None), None)


def _facts(page: Page, timing: Timing) -> Iterator[str]:
    if timing.yours_s is not None:
        yield f"yours {words.duration(timing.yours_s)}"
    if timing.reference_s is not None:
        yield f"reference {words.duration(timing.reference_s)}"
    if timing.ratio is not None:
        yield words.ratio(timing.ratio, timing.spread, page.glyphs)
    if (naive := naive_of(timing)) and naive.ratio is not None:
        yield f"a naive version {words.ratio(naive.ratio, None, page.glyphs)}"
    if timing.growth is not None and not timing.sides:
        yield f"grows n^{timing.growth:.2f}"
    if timing.peak_mib is not None:
        yield f"peak {timing.peak_mib:,.0f} MiB"
