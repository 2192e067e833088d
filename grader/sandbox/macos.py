"""A child as macOS sees it: a process group, and `libproc` for its account.

macOS refuses a limit on the address space, so memory is watched by the parent. Written from
the system's documented interface; no machine was there to run it on.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

from grader.sandbox.posix import Posix

_MIB = 1 << 20
_GROUP = 2  # PROC_PGRP_ONLY
_MOST = 4096  # pids of a group
_TASK_INFO, _TASK_BYTES, _TASK_THREADS = 4, 96, 84  # PROC_PIDTASKINFO; place of its thread count
_USAGE, _USAGE_BYTES = 4, 512  # RUSAGE_INFO_V4, in a buffer with room to spare
#: Places of 64-bit numbers in it, after sixteen bytes of uuid.
_OWN, _WAITED, _PEAK = (0, 1), (10, 11), 28


def library() -> Any:
    """`libproc`, which also reaches `sysctlbyname`; raises OSError where there is none."""
    return ctypes.CDLL("/usr/lib/libproc.dylib")


class MacOS(Posix):
    """A child and its group, by `proc_pid_rusage` and `proc_listpids`."""

    bounds_memory = False

    def __init__(self, libproc: Any = None) -> None:
        """`libproc` is the system's own unless a test brings another."""
        super().__init__()
        try:
            self._libproc = libproc or library()
            self._tick_s = 1 / _frequency(self._libproc)
        except (OSError, AttributeError, ZeroDivisionError) as error:
            self._libproc, self.bounds_memory = None, True  # it cannot be watched
            self.notes.append(f"the system gives no account of a child ({error})")
        else:
            self.clock_step_s = self._tick_s

    def cpu_seconds(self, descendants: bool) -> float:
        """CPU time; of descendants, that of the living and of those that were waited for."""
        if not descendants:
            return self._ticks(self._pid, _OWN) * self._tick_s if self._libproc else 0.0
        return sum(self._ticks(pid, _OWN + _WAITED) * self._tick_s for pid in self._pids())

    def peak_mib(self) -> float:
        """The largest footprint so far; 0 before macOS 10.14."""
        usage = self._usage(self._pid)
        return usage[_PEAK] / _MIB if usage else 0.0

    def group(self) -> dict[int, int]:
        found = {}
        for pid in self._pids():
            task = ctypes.create_string_buffer(_TASK_BYTES)
            # A process that has ended has no task any more.
            if (
                self._libproc.proc_pidinfo(pid, _TASK_INFO, ctypes.c_uint64(0), task, _TASK_BYTES)
                == _TASK_BYTES
            ):
                found[pid] = struct.unpack_from("=i", task, _TASK_THREADS)[0]
        return found

    def _pids(self) -> list[int]:
        if self._libproc is None:
            return []
        pids = (ctypes.c_int * _MOST)()
        self._libproc.proc_listpids(_GROUP, self._pid, pids, ctypes.sizeof(pids))
        return [pid for pid in pids if pid]

    def _ticks(self, pid: int, places: tuple[int, ...]) -> int:
        usage = self._usage(pid)
        return sum(usage[place] for place in places) if usage else 0

    def _usage(self, pid: int) -> tuple[int, ...] | None:
        if self._libproc is None:
            return None
        buffer = ctypes.create_string_buffer(_USAGE_BYTES)
        if self._libproc.proc_pid_rusage(pid, _USAGE, buffer) != 0:
            return None
        return struct.unpack_from("=35Q", buffer, 16)


def _frequency(libproc: Any) -> int:
    """Ticks of the account in a second.

    `mach_timebase_info` would say nanoseconds to an Intel interpreter on an Apple processor,
    whose account is in ticks of the processor nevertheless.
    """
    value, size = ctypes.c_uint64(0), ctypes.c_size_t(8)
    libproc.sysctlbyname(b"hw.tbfrequency", ctypes.byref(value), ctypes.byref(size), None, 0)
    return value.value
