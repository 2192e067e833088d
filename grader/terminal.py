"""The terminal while single keys are read: changed on the way in, mended on every way out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

with suppress(ImportError):
    import termios  # not on Windows, where `kata watch` says so before it gets here

_LOCAL = 3  # the index of the local modes in what tcgetattr gives


class Keys:
    """Single keys of a terminal, without echo; signals such as Ctrl-C stay."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self._kept: list[Any] = termios.tcgetattr(handle)
        self._taken = termios.tcgetattr(handle)
        self._taken[_LOCAL] &= ~(termios.ICANON | termios.ECHO)

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Read keys one by one until the end of the block, whatever ends it."""
        self.take()
        try:
            yield
        finally:
            self.give_back()

    def take(self) -> None:
        termios.tcsetattr(self.handle, termios.TCSADRAIN, self._taken)

    def give_back(self) -> None:
        with suppress(termios.error):
            termios.tcsetattr(self.handle, termios.TCSADRAIN, self._kept)

    def mend(self) -> None:
        """For another process, once we are gone: give back, unless somebody did already."""
        with suppress(termios.error):
            if termios.tcgetattr(self.handle)[: _LOCAL + 1] == self._taken[: _LOCAL + 1]:
                self.give_back()

    def read(self) -> str | None:
        """What was typed: one key, or the escape sequence of one; None at the end of input."""
        try:
            data = os.read(self.handle, 64)
        except OSError:
            return None  # the terminal has gone
        return data.decode("utf-8", "replace") if data else None
