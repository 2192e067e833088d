"""A training on one screen: what it took, what the tokenizer is worth, what is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.render import words
from grader.render.page import Page, line_of

_BAR = 30  # columns


@dataclass(frozen=True, slots=True)
class TrainingView:
    """`facts` are those of `training.json`; `remarks` say what is wrong; `out` where it lies."""

    facts: Mapping[str, Any]
    remarks: Sequence[str] = ()
    out: str | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page, facts = Page(console, options), self.facts
        yield from self._head(page)
        yield Text()
        yield from self._sanity(page, facts["sanity"])
        yield from self._curve(page, facts["sanity"])
        if "published" in facts:
            yield from self._published(page, facts["published"])
        if self.out:
            yield Text()
            names = "vocab.json, merges.txt, tokenizer.json and training.json"
            yield from page.prose(f"{names} are in {page.visible(self.out)}.", indent=2)

    def _head(self, page: Page) -> Iterator[Text]:
        facts, measured = self.facts, self.facts["measured"]
        corpus = facts["corpus"]
        yield line_of(
            Text(page.visible(corpus["name"]), "kata.name"),
            Text(f" {page.glyphs.dot} {page.visible(facts['solution'])}"),
        )
        size = page.joined(
            f"vocab {facts['vocab_size']:,}",
            words.count(facts["merges"], "merge"),
            words.count(len(facts["special_tokens"]), "special token"),
        )
        took = page.joined(
            words.duration(measured["wall_s"]),
            f"CPU {words.duration(measured['cpu_s'])}",
            f"peak {measured['peak_mib']:,.0f} MiB",
            f"isolation {facts['isolation']}" if facts["isolation"] else "",
        )
        yield from page.prose(size, indent=2)
        if facts["asked"] > facts["vocab_size"]:
            short = f"{facts['asked']:,} ids were asked for; no pair was left to merge"
            yield from page.prose(short, indent=2)
        yield from page.prose(took, indent=2, style="kata.quiet")
        yield from page.prose(f"digest {facts['merges_digest'][:16]}", indent=2, style="kata.quiet")

    def _sanity(self, page: Page, sanity: Mapping[str, Any]) -> Iterator[Text]:
        documents = words.count(sanity["documents"], "random document")
        yield from _judged(page, sanity["round_trip"], f"{documents} and emoji come back")
        if sanity["peer"]:
            says = f"{sanity['peer']} loads it and has the same ids"
            yield from _judged(page, sanity["peer_agrees"], says)
        if sanity["deterministic"] is not None:
            yield from _judged(page, sanity["deterministic"], "trained twice, the same merges")
        for remark in self.remarks:
            yield from page.prose(remark, indent=4, style="kata.failed")

    def _curve(self, page: Page, sanity: Mapping[str, Any]) -> Iterator[Text]:
        yield Text()
        yield from page.prose(f"bytes per token on {sanity['measured_on']}", indent=2)
        points = sanity["bytes_per_token"]
        most = max(point["value"] for point in points)
        for point in points:
            value = point["value"]
            room = min(_BAR, page.width - 22)
            bar = ("#" if page.ascii_only else "━") * max(round(room * value / most), 1)
            yield line_of(
                Text(f"  {point['vocab_size']:>9,}  {value:5.2f}  "), Text(bar, "kata.place")
            )

    def _published(self, page: Page, check: Mapping[str, Any]) -> Iterator[Text]:
        yield Text()
        yield from page.prose(f"published for {check['corpus']}", indent=2)
        if merges := check["merges"]:
            yield from self._merges(page, merges)
        for count in check["tokens"]:
            yield from _tokens(page, count)

    def _merges(self, page: Page, merges: Mapping[str, Any]) -> Iterator[Text]:
        compared, agreeing = merges["compared"], merges["agreeing"]
        for number, same in merges["prefixes"].items():
            yield from _judged(page, same, f"the digest of the first {int(number):,} merges")
        if agreeing == compared:
            yield from _judged(page, True, f"all {compared:,} merges that both have are the same")
            return
        yield from _judged(
            page, False, f"the first {agreeing:,} of {compared:,} merges are the same"
        )
        left, right = merges["leaves_with"]
        yield from page.prose(
            f"Then, as merge {agreeing:,} counted from 0, yours joins {left} and {right}; what is "
            "published goes on with another. Look at that pair's count and at how ties break.",
            indent=4,
        )


def _judged(page: Page, good: bool | None, text: str) -> Iterator[Text]:
    """A sentence behind a mark; None: it could not be judged."""
    mark, style = page.glyphs.idle, "kata.quiet"
    if good is not None:
        mark = page.glyphs.passed if good else page.glyphs.failed
        style = "kata.passed" if good else "kata.failed"
    words_style = "kata.quiet" if good is None else ""
    said = Text(page.readable(text), words_style)
    yield from page.wrapped(said, indent=4, first=Text(f"  {mark} ", style))


def _tokens(page: Page, count: Mapping[str, Any]) -> Iterator[Text]:
    text, known, found = count["text"], count["published"], count["found"]
    if found is None:
        says = f"{known:,} tokens of {text}: the text is not on this machine"
        yield from _judged(page, None, says)
        return
    says = f"{found:,} tokens of {text}, {count['bytes_per_token']:.4f} bytes per token"
    says += "" if known == found else f"; published are {known:,}"
    yield from _judged(page, known == found, says)
