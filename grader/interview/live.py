"""The clock of an interview on a terminal: one line that is written over, until Enter.

The terminal is left as it is, so nothing has to be mended however this ends.
"""

from __future__ import annotations

import selectors
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from grader.interview.room import Room
from grader.interview.session import Session, State
from grader.interview.standing import standing, warnings
from grader.render.console import console, show
from grader.render.interview import ClockLine, StandingView
from grader.render.sentence import Sentence
from grader.watcher import Watcher, needs_polling

_REWRITE = "\r\x1b[2K"
_TICK_S = 0.5


def watch(found: Room, stdin: TextIO, stdout: TextIO, here: Path, width: int | None) -> Session:
    """Show the clock and record each save, until Enter or the end of the interview."""
    page = console(stdout, width=width)
    session = found.look()
    left_s, shown = session.left_s(found.clock.now()), None
    with _events(found.home.katas, stdin) as (selector, watcher):
        while session.state is not State.OVER:
            now = found.clock.now()
            standing_now = standing(found, session, now, here)
            block = (standing_now.state, standing_now.stage, standing_now.facts)
            if block != shown:  # by another terminal, or by us
                shown = block
                stdout.write(_REWRITE)
                show(page, StandingView(standing_now))
                show(page, "\n")
            for warning in warnings(session, left_s, now):
                stdout.write(_REWRITE)
                show(page, Sentence(warning))
            left_s = session.left_s(now)
            stdout.write(_REWRITE)
            show(page, ClockLine(standing_now, live=True))
            stdout.flush()
            if any(key.fileobj is stdin for key, _ in selector.select(_TICK_S)):
                stdin.readline()
                break
            watcher.clear()
            session = found.look()
    stdout.write(_REWRITE)
    stdout.flush()
    return session


@contextmanager
def _events(folder: Path, stdin: TextIO) -> Iterator[tuple[selectors.BaseSelector, Watcher]]:
    """What wakes the clock between its ticks: a typed line, and a save."""
    watcher = Watcher(folder, poll=needs_polling(folder))
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_READ)
            selector.register(watcher.handle, selectors.EVENT_READ)
            yield selector, watcher
    finally:
        watcher.close()


def is_terminal() -> bool:
    """Whether there is a terminal to show a clock on, and to press Enter."""
    return sys.stdin.isatty() and sys.stdout.isatty()
