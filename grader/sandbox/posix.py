"""A child as any POSIX system sees it: a process group that can be killed, and no account."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from typing import Any

from grader.sandbox.system import Popen


class Posix:
    """The leader of a process group (`start_new_session`), which nothing else is in."""

    clock_step_s: float | None = None
    bounds_memory = True

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._popen: Popen | None = None
        self._pid = 0

    def adopt(self, popen: Popen, policy: Mapping[str, Any]) -> None:
        """The child limits itself, with `setrlimit`, before it has read a submission."""
        self._popen, self._pid = popen, popen.pid

    def cpu_seconds(self, descendants: bool) -> float:
        return 0.0

    def waited_seconds(self) -> float:
        return 0.0

    def peak_mib(self) -> float:
        return 0.0

    def group(self) -> dict[int, int]:
        return {}

    def kill(self) -> None:
        """End the child and everything in its process group.

        On Linux nothing can leave that; elsewhere `setsid` can.
        """
        if self._popen is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        self._popen.wait()
        self._reap_group()

    def _reap_group(self) -> None:
        """Wait for what the child left behind; killed processes need a moment to end."""
        for _ in range(1000):
            try:
                os.killpg(self._pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                return
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-self._pid, os.WNOHANG)[0]:
                    pass
            time.sleep(0.001)
