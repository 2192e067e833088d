"""The console of the product: our style names, no markup, quiet when a pipe closes."""

from __future__ import annotations

import os
from typing import IO

from rich.console import Console, RenderableType
from rich.theme import Theme

from grader.render.theme import STYLES


class KataConsole(Console):
    """A `Console` that never interprets text and outlives its reader."""

    def on_broken_pipe(self) -> None:
        """The reader has gone (`kata list | head -1`): say no more, keep the exit code."""
        self.quiet = True
        close_pipe(self.file)


def console(file: IO[str], *, width: int | None = None) -> KataConsole:
    """A console on `file`; `width` overrides what the terminal says."""
    return KataConsole(
        file=file, width=width, theme=Theme(STYLES), markup=False, emoji=False, highlight=False
    )


def show(target: Console, view: RenderableType) -> None:
    """Print a view; lines that must stay whole may run over the edge."""
    target.print(view, crop=False, end="")


def close_pipe(file: IO[str]) -> None:
    """Point a broken stream at nothing, so that nobody trips over it at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, file.fileno())
    except (OSError, ValueError):
        return
