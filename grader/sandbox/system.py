"""What the parent needs of the system a child runs on: an account of it, bounds, an end.

Each system has a class of this shape: `procfs.Linux`, `macos.MacOS`, `windows.Windows`, and
`posix.Posix` for the rest. `launch` picks one.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import Any, Protocol

Popen = subprocess.Popen[bytes]


class System(Protocol):
    """One child, as its system sees it."""

    #: The steps in which CPU time is told, in seconds; None where it is not told at all.
    clock_step_s: float | None
    #: Whether the system itself ends an allocation past the limit.
    bounds_memory: bool
    #: What the system refused, a sentence each; part of the isolation report.
    notes: list[str]

    def adopt(self, popen: Popen, policy: Mapping[str, Any]) -> None:
        """Take charge of a child that was started and has been told nothing yet."""

    def cpu_seconds(self, descendants: bool) -> float:
        """CPU time the child has used; 0 where that is not told.

        With `descendants`, also that of processes it started.
        """
        ...

    def waited_seconds(self) -> float:
        """How long the child's threads were ready to run and had to wait; 0 where not told."""
        ...

    def peak_mib(self) -> float:
        """The child's largest memory so far, in MiB; 0 where that is not told."""
        ...

    def group(self) -> dict[int, int]:
        """The live processes of the child's group, itself among them, each with its threads.

        Empty where that is not told.
        """
        ...

    def kill(self) -> None:
        """End the child and all it has started, and wait for that; safe to repeat."""
