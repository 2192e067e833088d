"""Parent and child on one CPU, while they only ever wait for each other.

A call is a question and an answer. Waking the other side on another CPU costs ten times what
the question itself costs (150 µs against 12 where it was measured), and never gains anything:
one of the two always sleeps. Linux only; elsewhere nothing happens.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_PROCESSOR = 36  # place of the CPU last run on in `/proc/PID/stat`, from the state on


def beside(policy: str) -> contextlib.AbstractContextManager[None]:
    """Calls to a child of that policy in turns: one CPU, unless it may start processes."""
    return one_cpu() if policy == "pure" else contextlib.nullcontext()


@contextlib.contextmanager
def one_cpu() -> Iterator[None]:
    """Keep this thread, and what it starts meanwhile, on the CPU it runs on now.

    Other work moves away, since it may; what is already bound to one CPU stays as it is.
    """
    before = cpus()
    try:
        if len(before) > 1:
            with contextlib.suppress(OSError, ValueError, IndexError):
                stat = Path("/proc/thread-self/stat").read_text()
                _bind(0, {int(stat.rpartition(")")[2].split()[_PROCESSOR])})
        yield
    finally:
        if len(before) > 1:
            _bind(0, before)


def bring(pid: int) -> None:
    """Let a child run where this thread may: on its one CPU, if it has bound itself."""
    mine = cpus()
    if len(mine) == 1:
        _bind(pid, mine)


def cpus() -> set[int]:
    """The CPUs this thread may run on; empty where that is unknown."""
    if sys.platform != "linux":
        return set()
    return os.sched_getaffinity(0)


def _bind(pid: int, chosen: set[int]) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # gone, or no longer ours to steer
            os.sched_setaffinity(pid, chosen)
