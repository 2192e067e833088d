"""A child as Linux sees it: the clock of a process, and /proc for the rest."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from grader.sandbox.posix import Posix


class Linux(Posix):
    """A child and its group; nothing can leave the group, and orphans become our own."""

    clock_step_s: float | None = 1e-9

    def cpu_seconds(self, descendants: bool) -> float:
        """CPU time by the kernel's account; that of descendants it waited for in 10 ms."""
        own = time.clock_gettime((~self._pid << 3) | 2)
        return own + self._others_cpu() if descendants else own

    def _others_cpu(self) -> float:
        """CPU time of the rest of the group: what runs or ended there, and what was waited for.

        Orphans are not reaped before the child ends, so their time is not lost.
        """
        seconds, tick = 0.0, 1 / os.sysconf("SC_CLK_TCK")
        for pid, fields in _group_stats(self._pid):
            seconds += sum(map(int, fields[13:15])) * tick  # of children it has waited for
            if pid != self._pid:
                try:
                    seconds += time.clock_gettime((~pid << 3) | 2)
                except OSError:
                    seconds += sum(map(int, fields[11:13])) * tick
        return seconds

    def waited_seconds(self) -> float:
        waited = 0
        for path in Path(f"/proc/{self._pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                waited += int(path.read_text().split()[1])
        return waited / 1e9

    def peak_mib(self) -> float:
        """The child's largest resident set so far."""
        with contextlib.suppress(OSError, StopIteration, ValueError):
            status = Path(f"/proc/{self._pid}/status").read_text()
            line = next(row for row in status.splitlines() if row.startswith("VmHWM"))
            return int(line.split()[1]) / 1024
        return 0.0

    def group(self) -> dict[int, int]:
        return {
            pid: int(fields[17])
            for pid, fields in _group_stats(self._pid)
            if fields[0] not in (b"Z", b"X")
        }


def _group_stats(leader: int) -> Iterator[tuple[int, list[bytes]]]:
    """Pid and `/proc/PID/stat` fields (from the state on) of each process of a group.

    This is asked several times a call, so of other groups no file is opened.
    """
    for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))):
        with contextlib.suppress(OSError, IndexError):
            if os.getpgid(pid) == leader:
                yield pid, Path("/proc", str(pid), "stat").read_bytes().rpartition(b")")[2].split()
