"""What is seen of a batch while it runs: a bar on a terminal, a line a student elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grader.gradebook import Entry
from grader.render import words
from grader.render.console import console
from grader.render.escape import readable

Told = Callable[[Entry, bool], None]


class RateColumn(ProgressColumn):
    """`23 a minute`."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed * 60:.0f} a minute" if speed else "")


@contextmanager
def progress(total: int, stderr: TextIO) -> Iterator[Told]:
    """The value is told each entry as it comes, and whether it was graded before."""
    if not stderr.isatty():
        yield lines(total, stderr)
        return
    target = console(stderr)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=target, transient=True, expand=True) as bar:
        task = bar.add_task("grading", total=total)
        yield lambda entry, again: bar.advance(task)


def lines(total: int, stderr: TextIO) -> Told:
    """Plain lines: `12/200 alice  5 of 6 passed  4.1 s`."""
    plain = not (stderr.encoding or "utf-8").lower().startswith("utf")
    done = 0

    def told(entry: Entry, again: bool) -> None:
        nonlocal done
        done += 1
        passed = sum(mark.passed for mark in entry.marks)
        spent = "graded before" if again else words.duration(entry.seconds)
        name = readable(entry.student[:60], ascii_only=plain)
        told_so = f"{done}/{total} {name}  {passed} of {len(entry.marks)} passed  {spent}"
        print(told_so, file=stderr, flush=True)

    return told
