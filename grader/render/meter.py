"""How far a long piece of work is: a line that moves on a terminal, else one now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.text import Text

from grader.render.console import console
from grader.render.escape import readable

#: Seconds between two lines where they do not move.
EVERY_S = 10.0
_REDRAW_S = 0.1


@contextmanager
def meter(
    label: str, stderr: TextIO, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[str], None]]:
    """Show `label: message` for each message told; on a terminal it is gone afterwards."""
    if stderr.isatty():
        with _moving(label, stderr, clock) as told:
            yield told
    else:
        yield _now_and_then(label, stderr, clock)


@contextmanager
def _moving(
    label: str, terminal: TextIO, clock: Callable[[], float]
) -> Iterator[Callable[[str], None]]:
    target = console(terminal)
    plain, room = target.options.ascii_only, target.width - 3
    shown = [0.0]

    def line(message: str) -> Text:
        text = Text(readable(f"{label}: {message}", ascii_only=plain))
        text.truncate(room, overflow="crop" if plain else "ellipsis")
        return text

    def told(message: str) -> None:
        if clock() - shown[0] >= _REDRAW_S:
            shown[0] = clock()
            status.update(line(message))

    with target.status(line("starting"), spinner="line" if plain else "dots") as status:
        yield told


def _now_and_then(label: str, stream: TextIO, clock: Callable[[], float]) -> Callable[[str], None]:
    due = [clock() + EVERY_S]

    def told(message: str) -> None:
        if clock() >= due[0]:
            due[0] = clock() + EVERY_S
            print(readable(f"{label}: {message}", ascii_only=True), file=stream, flush=True)

    return told
