"""A file of lines that only ever grows: one writer at a time, each line whole on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    """One writer at a time, over all terminals; without locks where there are none."""
    with lock.open("ab") as file:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def append(path: Path, line: bytes) -> None:
    """Add a line, its end included, to a file that exists. Raises `OSError`."""
    flags = os.O_RDWR | os.O_APPEND
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)  # not on Windows
    handle = os.open(path, flags)
    with os.fdopen(handle, "r+b", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        torn = end > 0 and file.read(1) != b"\n"  # by a crash: what follows stays readable
        file.write(b"\n" + line if torn else line)
        os.fsync(handle)
