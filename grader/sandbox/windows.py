"""A child as Windows sees it: a job object, which bounds it, keeps its account and ends it.

What the system refuses becomes a note of the isolation report. Written from the system's
documented interface; no machine was there to run it on.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Mapping
from ctypes import c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from grader.sandbox.system import Popen

_MIB = 1 << 20
_TICK_S = 1e-7  # unit of the account
_ASSIGN = 0x0100 | 0x0001  # PROCESS_SET_QUOTA, PROCESS_TERMINATE
_MOST = 1024  # pids of a job that are listed

#: Information classes of a job.
ACCOUNT, PIDS, SCREEN, LIMITS = 1, 3, 4, 9
#: Limit flags.
PROCESSES, MEMORY, NO_DIALOGUE, KILL_ON_CLOSE = 0x0008, 0x0100, 0x0400, 0x2000
#: Handles, clipboard, settings, atoms, desktops and shutdown of the user.
EVERYTHING_ON_SCREEN = 0xFF


class Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; sizes in bytes, times in ticks."""

    _fields_ = (
        ("process_time", c_int64),
        ("job_time", c_int64),
        ("flags", c_uint32),
        ("least_set", c_size_t),
        ("largest_set", c_size_t),
        ("processes", c_uint32),
        ("affinity", c_size_t),
        ("priority", c_uint32),
        ("scheduling", c_uint32),
        ("transfers", c_uint64 * 6),
        ("process_memory", c_size_t),
        ("job_memory", c_size_t),
        ("peak_process_memory", c_size_t),
        ("peak_job_memory", c_size_t),
    )


class Account(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION; times in ticks, of the ended as well."""

    _fields_ = (
        ("user_time", c_int64),
        ("kernel_time", c_int64),
        ("period_user_time", c_int64),
        ("period_kernel_time", c_int64),
        ("page_faults", c_uint32),
        ("processes", c_uint32),
        ("active", c_uint32),
        ("terminated", c_uint32),
    )


class Pids(ctypes.Structure):
    """JOBOBJECT_BASIC_PROCESS_ID_LIST, with room."""

    _fields_ = (("assigned", c_uint32), ("listed", c_uint32), ("pids", c_size_t * _MOST))


def library() -> Any:
    """`kernel32` with the types of what is used of it."""
    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel32.CreateJobObjectW.restype = kernel32.OpenProcess.restype = c_void_p
    kernel32.CreateJobObjectW.argtypes = (c_void_p, c_void_p)
    kernel32.OpenProcess.argtypes = (c_uint32, ctypes.c_int, c_uint32)
    kernel32.AssignProcessToJobObject.argtypes = (c_void_p, c_void_p)
    kernel32.SetInformationJobObject.argtypes = (c_void_p, ctypes.c_int, c_void_p, c_uint32)
    kernel32.QueryInformationJobObject.argtypes = (
        c_void_p, ctypes.c_int, c_void_p, c_uint32, c_void_p,
    )  # fmt: skip
    kernel32.TerminateJobObject.argtypes = (c_void_p, c_uint32)
    kernel32.CloseHandle.argtypes = (c_void_p,)
    return kernel32


class Windows:
    """A child and all it starts, in a job of their own.

    The child is put into the job after it has started and before it is told anything: until
    then it runs nothing but our own loop, which waits for its first message, so the submission
    and whatever that starts are in the job from their beginning.
    """

    #: Times of a process go up by clock interrupts, 64 a second.
    clock_step_s: float | None = 1 / 64
    bounds_memory = True

    def __init__(self, kernel32: Any = None) -> None:
        """`kernel32` is the system's own unless a test brings another."""
        self.notes: list[str] = []
        self._kernel32 = kernel32 or library()
        self._popen: Popen | None = None
        self._job: int | None = None

    def adopt(self, popen: Popen, policy: Mapping[str, Any]) -> None:
        self._popen = popen
        self._job = self._kernel32.CreateJobObjectW(None, None)
        if not self._job:
            self._unbounded("a job object")
            return
        limits = Limits(
            flags=PROCESSES | MEMORY | NO_DIALOGUE | KILL_ON_CLOSE,
            processes=policy["processes"],
            process_memory=policy["rlimits"]["RLIMIT_AS"],
        )
        if not self._set(LIMITS, limits):
            self._unbounded("limits of a job object")
        if not self._set(SCREEN, c_uint32(EVERYTHING_ON_SCREEN)):
            self._refused("to keep a job object off the screen and the clipboard")
        if not self._assign(popen.pid):
            self._unbounded("to put the child into a job object")
            self._close()

    def _assign(self, pid: int) -> bool:
        process = self._kernel32.OpenProcess(_ASSIGN, False, pid)
        if not process:
            return False
        try:
            return bool(self._kernel32.AssignProcessToJobObject(self._job, process))
        finally:
            self._kernel32.CloseHandle(process)

    def _unbounded(self, what: str) -> None:
        self.bounds_memory = False
        self._refused(what)

    def _refused(self, what: str) -> None:
        code = getattr(ctypes, "get_last_error", int)()
        self.notes.append(f"the system refused {what} (error {code})")

    def cpu_seconds(self, descendants: bool) -> float:
        """CPU time of the job: of all that was ever in it."""
        found = self._ask(ACCOUNT, Account())
        ticks: int = found.user_time + found.kernel_time
        return ticks * _TICK_S

    def waited_seconds(self) -> float:
        return 0.0

    def peak_mib(self) -> float:
        """The largest memory of one process of the job, as committed."""
        peak: int = self._ask(LIMITS, Limits()).peak_process_memory
        return peak / _MIB

    def group(self) -> dict[int, int]:
        """The processes of the job; threads are not counted, so each has one."""
        found = self._ask(PIDS, Pids())
        return dict.fromkeys(found.pids[: min(found.listed, _MOST)], 1)

    def kill(self) -> None:
        if self._job:
            self._kernel32.TerminateJobObject(self._job, 1)
        if self._popen is not None:
            with contextlib.suppress(OSError):
                self._popen.kill()  # where there is no job
            self._popen.wait()
        self._close()

    def _close(self) -> None:
        job, self._job = self._job, None
        if job:
            self._kernel32.CloseHandle(job)

    def _set(self, kind: int, value: Any) -> bool:
        pointer, size = ctypes.byref(value), ctypes.sizeof(value)
        return bool(self._kernel32.SetInformationJobObject(self._job, kind, pointer, size))

    def _ask(self, kind: int, found: Any) -> Any:
        """`found`, filled; as it was (zeros) where there is no answer."""
        if self._job:
            pointer, size = ctypes.byref(found), ctypes.sizeof(found)
            self._kernel32.QueryInformationJobObject(self._job, kind, pointer, size, None)
        return found
