"""One child process: tell it its policy, exchange frames under a deadline, end it.

How frames and prints travel is left to `sockets.SocketProcess` and `pipes.PipeProcess`, what
the system knows of a child to a `system.System`.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.errors import SandboxError
from grader.sandbox import wire
from grader.sandbox.policy import UID_BASE
from grader.sandbox.scratch import Scratch
from grader.sandbox.system import Popen, System

CHILD = Path(__file__).with_name("child.py")
#: The interpreter's options: no user site, no cwd on the path, no site-packages, no .pyc.
#: `-I` would ignore PYTHONHASHSEED.
OPTIONS = ("-s", "-P", "-S", "-B")
LOOK_S = 0.1  # how often a group of processes is looked at
_FAILURES = 0xC0000000  # exit codes from here on are Windows' own, of an exception


class DeadlinePassed(Exception):
    """The child has not answered in time."""


class Died(Exception):
    """The child is gone."""


class Overstepped(Exception):
    """The child's group is larger than its policy allows; the reason, in words."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a child is started with. `policy(uid)` is asked once the child exists."""

    policy: Callable[[int], Mapping[str, Any]]
    signature: Mapping[str, Any]
    path: str
    hash_seed: int
    scratch: Scratch
    output_limit: int  # bytes of prints that are kept


class Process(ABC):
    """A child that was told its policy; frames go both ways, prints are collected."""

    def __init__(self, start: Start, system: System) -> None:
        self._guard: Callable[[], str | None] | None = None
        self._next_look = 0.0
        self._output, self._dropped, self._limit = bytearray(), 0, start.output_limit
        self._pending = bytearray()
        self._system = system
        #: CPU time the child has used, by the system's account; with `True`, also that of
        #: processes it started. The account's own function: it is asked twice a call.
        self.cpu_seconds = system.cpu_seconds
        try:
            self._popen = self._spawn(start)
        except OSError as error:
            raise SandboxError(f"The child could not be started: {error.strerror}.") from None
        self.pid = self._popen.pid
        scratch, uid = start.scratch, 0
        if sys.platform == "linux" and os.geteuid() == 0:
            uid = UID_BASE + self.pid
            os.chown(scratch.work, uid, uid)
        rules = start.policy(uid)
        system.adopt(self._popen, rules)
        settings = {
            "regex": _regex_folder(),
            "policy": json.dumps(rules),
            "signature": json.dumps(start.signature),
            "path": start.path,
            "planted": str(scratch.planted),
            "linux": sys.platform == "linux",
            "watched": not system.bounds_memory,
            **self._more_settings(),
        }
        with contextlib.suppress(Died, DeadlinePassed):  # its first answer will be missed
            self.send([list(settings.items())], time.monotonic() + 5)

    # --- what a transport does --------------------------------------------------------

    @abstractmethod
    def _spawn(self, start: Start) -> Popen:
        """Start the child; raises OSError."""

    def _more_settings(self) -> Mapping[str, Any]:
        """What the child must know of the transport."""
        return {}

    @abstractmethod
    def send(self, message: list[Any], deadline: float) -> int:
        """Send a frame; its size in bytes. Raises `DeadlinePassed` or `Died`."""

    @abstractmethod
    def _fill(self, size: int, deadline: float) -> None:
        """Have at least `size` bytes of answers pending, collecting prints meanwhile."""

    @abstractmethod
    def _collect(self) -> None:
        """Have what was printed before the last answer in `_output`."""

    @abstractmethod
    def _close(self) -> None:
        """Give the transport back, once the child is dead."""

    # --- frames and prints ------------------------------------------------------------

    def receive(self, deadline: float, cap: int) -> list[Any]:
        """The next frame, of at most `cap` bytes.

        Raises `DeadlinePassed`, `Died`, or `wire.WireError` for what is no frame. One
        deadline covers the whole frame, so a child that drips gains nothing.
        """
        if time.monotonic() > deadline:
            raise DeadlinePassed
        self._fill(wire.HEADER, deadline)
        length = int.from_bytes(self._pending[: wire.HEADER], "big")
        if length > cap:
            raise wire.WireError(f"an answer of {length:,} bytes")
        end = wire.HEADER + length
        self._fill(end, deadline)
        body = bytes(self._pending[wire.HEADER : end])
        del self._pending[:end]
        return wire.unpack(body)

    def watch(self, guard: Callable[[], str | None]) -> None:
        """Let `guard` look in while the child works; it says why that must end, if it must."""
        self._guard = guard

    def look(self, now: bool = False) -> None:
        """Let the guard look in, by the clock whatever the child does, or right now.

        Raises `Overstepped`, or what the guard raises.
        """
        if self._guard and (now or time.monotonic() >= self._next_look):
            self._next_look = time.monotonic() + LOOK_S
            if reason := self._guard():
                raise Overstepped(reason)

    def _keep(self, printed: bytes | bytearray) -> None:
        room = max(self._limit - len(self._output), 0)
        self._output += printed[:room]
        self._dropped += max(len(printed) - room, 0)

    def take_prints(self) -> str:
        """What was printed since the last time, cut at the limit."""
        self._collect()
        if not self._output and not self._dropped:
            return ""
        text = self._output.decode("utf-8", "replace")
        if self._dropped:
            text += f"\n[cut after {self._limit // 1024} KiB]"
        self._output.clear()
        self._dropped = 0
        return text

    def last_line(self) -> str:
        """The last whole line that was printed and not taken yet."""
        return self._output.rpartition(b"\n")[0].rpartition(b"\n")[2].decode("utf-8", "replace")

    # --- account and death ------------------------------------------------------------

    @property
    def clock_step_s(self) -> float | None:
        """The steps in which `cpu_seconds` goes up; None where it does not."""
        return self._system.clock_step_s

    @property
    def bounds_memory(self) -> bool:
        """Whether the system keeps the child within its memory."""
        return self._system.bounds_memory

    @property
    def notes(self) -> list[str]:
        """What the system refused."""
        return self._system.notes

    def waited_seconds(self) -> float:
        """How long the child's threads were ready to run and had to wait; 0 where unknown."""
        return self._system.waited_seconds()

    def peak_mib(self) -> float:
        """The child's largest memory so far, in MiB; 0 where unknown."""
        return self._system.peak_mib()

    def group(self) -> dict[int, int]:
        """The processes of the child's group, itself among them, each with its threads."""
        return self._system.group()

    def how_it_died(self, patience: float = 1.0) -> tuple[str, bool]:
        """Why the child is gone, in words, and whether the sandbox killed it."""
        try:
            code = self._popen.wait(patience)
        except subprocess.TimeoutExpired:
            return "it closed its connection", False
        if code >= _FAILURES:
            return f"the process died of exception 0x{code:08X}", False
        if code >= 0:
            return f"the process ended itself with exit code {code}", False
        if sys.platform == "linux" and -code == signal.SIGSYS:
            return "a forbidden system call", True
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"the process died of {name}", False

    def kill(self) -> None:
        """End the child and everything it has started."""
        self._system.kill()
        self._close()


def nonce() -> str:
    """An id no child can guess ahead of its request."""
    return secrets.token_hex(8)


@cache
def _regex_folder() -> str | None:
    spec = find_spec("regex")
    return str(Path(spec.origin).parent.parent) if spec and spec.origin else None
