"""The line on a terminal while the judge works, which tells a candidate nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from grader import catalog
from grader.interview.judging import Told


@contextmanager
def judging_line(kata: str, stderr: TextIO, *, quiet: bool = True) -> Iterator[Told]:
    """How many cases are judged, and not which of them failed; nothing in a pipe."""
    if not stderr.isatty():
        yield lambda news: None
        return
    from grader.render.progress import progress

    with progress(catalog.find(kata), stderr, quiet=quiet) as told:
        yield told
