"""What time it is, and when a file was changed. Passed in, so that a test can bring its own."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Protocol

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """Wall-clock time in UTC, and what shows that somebody has set it."""

    def now(self) -> datetime:
        """The time, in UTC."""
        ...

    def uptime(self) -> str | None:
        """`boot:seconds`: seconds since that boot, which nobody can set; None where unknown."""
        ...

    def changed(self, path: Path) -> datetime:
        """When a file was last changed, by the kernel's account. Raises `OSError`."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def uptime(self) -> str | None:
        boot = _boot()
        if boot is None or not hasattr(time, "CLOCK_BOOTTIME"):
            return None
        return f"{boot}:{time.clock_gettime(time.CLOCK_BOOTTIME):.1f}"

    def changed(self, path: Path) -> datetime:
        # Of the times of a file only this one cannot be given by `touch`.
        return datetime.fromtimestamp(path.stat().st_ctime, UTC)


@cache
def _boot() -> str | None:
    """A short name of this boot, which does not name the machine."""
    try:
        return hashlib.sha256(_BOOT_ID.read_bytes()).hexdigest()[:8]
    except OSError:
        return None


def system() -> Clock:
    """The clock that the command line uses."""
    return SystemClock()
