"""The one line that moves while a kata is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.text import Text

from grader.model import Kata, Outcome, Verdict
from grader.render import words
from grader.render.console import console
from grader.render.escape import readable


@contextmanager
def progress(
    kata: Kata, terminal: TextIO, *, quiet: bool = False
) -> Iterator[Callable[[Verdict | str], None]]:
    """Show what is going on; the value is told each verdict, and each phase after the cases.

    The line is gone afterwards. A quiet one does not say which case is judged, and how.
    """
    target = console(terminal)
    plain, room = target.options.ascii_only, target.width - 3
    done: list[Verdict] = []

    def line(phase: str | None = None) -> Text:
        state = f"{kata.name}: {phase}" if phase else _state(kata.name, done, quiet)
        text = Text(readable(state, ascii_only=plain))
        text.truncate(room, overflow="crop" if plain else "ellipsis")
        return text

    def told(news: Verdict | str) -> None:
        if isinstance(news, str):
            status.update(line(news))
        else:
            done.append(news)
            status.update(line())

    with target.status(line(), spinner="line" if plain else "dots") as status:
        yield told


def _state(name: str, done: list[Verdict], quiet: bool) -> str:
    if not done:
        return f"{name}: starting"
    failed = sum(verdict.outcome not in (Outcome.PASS, None) for verdict in done)
    judged = f"{words.count(len(done), 'case')} judged"
    if quiet:
        return f"{name}: {judged}"
    return f"{name}: {judged}{f', {failed} failed' if failed else ''} · {done[-1].title}"
