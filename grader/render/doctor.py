"""What a sandbox keeps a submission from, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from grader.model import Isolation
from grader.render.page import Page, line_of


@dataclass(frozen=True, slots=True)
class MachineView:
    """Facts of the machine, what a child of each policy could do, and what is below its floor."""

    facts: Mapping[str, str]
    policies: Sequence[Isolation]
    capabilities: Mapping[str, str]  # name -> words
    problems: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = Page(console, options)
        for name, value in self.facts.items():
            yield line_of(Text(f"  {name:<11}", "kata.quiet"), Text(page.visible(value)))
        yield Text()
        yield from self._table(page)
        for isolation in self.policies:
            if isolation.note:
                yield from page.prose(f"{isolation.policy}: {isolation.note}", indent=2)
        for problem in self.problems:
            yield Text()
            yield from page.prose(problem, indent=2, style="kata.failed")

    def _table(self, page: Page) -> Iterator[Text]:
        wide = max(map(len, self.capabilities.values())) + 2
        heads = [Text(f"{each.policy:<10}", "kata.name") for each in self.policies]
        yield line_of(Text(f"  {'a submission can':<{wide}}", "kata.quiet"), *heads)
        for name, words in self.capabilities.items():
            cells = [_cell(each, name) for each in self.policies]
            yield line_of(Text(f"  {words:<{wide}}"), *cells)
        levels = [Text(f"{each.level:<10}", "kata.name") for each in self.policies]
        yield line_of(Text(f"  {'isolation':<{wide}}", "kata.quiet"), *levels)


def _cell(isolation: Isolation, name: str) -> Text:
    could = isolation.capabilities.get(name)
    if could is None:
        bounded = (isolation.policy, name) == ("corpus", "starts_a_process")
        return Text(f"{'bounded' if bounded else 'untried':<10}", "kata.quiet")
    return Text(f"{'yes' if could else 'no':<10}", "kata.failed" if could else "kata.passed")
