"""One child process: spawn it, exchange frames under a deadline, read its clock, kill it."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.errors import SandboxError
from grader.sandbox import wire
from grader.sandbox.policy import UID_BASE

CHILD = Path(__file__).with_name("child.py")
#: The interpreter's options: no user site, no cwd on the path, no site-packages, no .pyc.
#: `-I` would ignore PYTHONHASHSEED.
OPTIONS = ("-s", "-P", "-S", "-B")
_READ = 1 << 16
_LOOK_S = 0.1  # how often a group of processes is looked at
_POLL_S = 3600.0  # `poll` takes no more than 24 days


class DeadlinePassed(Exception):
    """The child has not answered in time."""


class Died(Exception):
    """The child is gone."""


class Overstepped(Exception):
    """The child's group is larger than its policy allows; the reason, in words."""


class Scratch:
    """The folders of one child: `work` to write, `given` to read, a file it must not see."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="kata-"))
        self.root.chmod(0o711)  # a child of another user passes through to its own folder
        self.work, self.given, self.planted = (
            self.root / "work",
            self.root / "given",
            self.root / "planted",
        )
        self.work.mkdir()
        self.given.mkdir()
        self.planted.write_bytes(b"not for the child")

    def size(self) -> int:
        """Bytes in the folder the child writes."""
        total = 0
        for folder, _, files in os.walk(self.work):
            for name in files:
                with contextlib.suppress(OSError):
                    total += os.lstat(os.path.join(folder, name)).st_blocks * 512
        return total

    def remove(self) -> None:
        """Delete it all, however deep it is and whatever rights were taken away."""
        with contextlib.suppress(OSError, RecursionError):
            shutil.rmtree(self.root)
        if self.root.exists():
            for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
                subprocess.run([*command, str(self.root)], check=False, stderr=subprocess.DEVNULL)


class Process:
    """A child that was told its policy; frames go both ways, prints are collected."""

    def __init__(
        self,
        *,
        policy: Callable[[int], Mapping[str, Any]],
        signature: Mapping[str, Any],
        path: str,
        hash_seed: int,
        scratch: Scratch,
        output_limit: int,
        guard: Callable[[], str | None] | None = None,
    ) -> None:
        """`policy(uid)` is asked once the child exists; `guard()` looks in while it works."""
        ours, theirs = socket.socketpair()
        prints, child_prints = os.pipe()
        try:
            self._popen = subprocess.Popen(
                [sys.executable, *OPTIONS, str(CHILD), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=child_prints,
                stderr=child_prints,
                pass_fds=[theirs.fileno()],
                cwd=scratch.work,
                env={"PYTHONHASHSEED": str(hash_seed)},
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"The child could not be started: {error.strerror}.") from None
        finally:
            theirs.close()
            os.close(child_prints)
        ours.setblocking(False)
        os.set_blocking(prints, False)
        self._socket, self._prints = ours, prints
        self._output, self._dropped, self._limit = bytearray(), 0, output_limit
        self._prints_open = True
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)
        self._poll.register(prints, select.POLLIN)
        self._pending = bytearray()
        self.pid = self._popen.pid
        self._guard, self._next_look = guard, 0.0
        uid = 0
        if sys.platform == "linux" and os.geteuid() == 0:
            uid = UID_BASE + self.pid
            os.chown(scratch.work, uid, uid)
        settings = {
            "regex": _regex_folder(),
            "policy": json.dumps(policy(uid)),
            "signature": json.dumps(signature),
            "path": path,
            "planted": str(scratch.planted),
            "linux": sys.platform == "linux",
        }
        self.send([list(settings.items())], time.monotonic() + 5)

    # --- frames -----------------------------------------------------------------------

    def send(self, message: list[Any], deadline: float) -> int:
        """Send a frame; its size in bytes."""
        frame = wire.pack(message)
        view = memoryview(frame)
        while view:
            try:
                view = view[self._socket.send(view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)
            except OSError:
                raise Died from None
        return len(frame)

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

    def _fill(self, size: int, deadline: float) -> None:
        while len(self._pending) < size:
            try:
                piece = self._socket.recv(max(_READ, min(size - len(self._pending), 1 << 20)))
            except BlockingIOError:
                self._wait(select.POLLIN, deadline)
                continue
            except OSError:
                raise Died from None
            if not piece:
                raise Died
            self._pending += piece

    def _wait(self, event: int, deadline: float) -> None:
        """Wait until the socket is ready, collecting prints meanwhile."""
        self._poll.modify(self._socket, event)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise DeadlinePassed
            ready = self._poll.poll(min(left, _LOOK_S if self._guard else _POLL_S) * 1000)
            self.look()
            for descriptor, _ in ready:
                if descriptor == self._prints:
                    self._collect()
                else:
                    return

    def look(self, now: bool = False) -> None:
        """Let the guard look in, by the clock whatever the child does, or right now.

        Raises `Overstepped`.
        """
        if self._guard and (now or time.monotonic() >= self._next_look):
            self._next_look = time.monotonic() + _LOOK_S
            if reason := self._guard():
                raise Overstepped(reason)

    # --- prints -----------------------------------------------------------------------

    def _collect(self) -> None:
        while self._prints_open:
            try:
                piece = os.read(self._prints, _READ)
            except BlockingIOError:
                return
            if not piece:
                self._prints_open = False
                self._poll.unregister(self._prints)
                return
            room = self._limit - len(self._output)
            self._output += piece[: max(room, 0)]
            self._dropped += max(len(piece) - max(room, 0), 0)
            if self._dropped:
                return  # a flood must not keep us from the deadline

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

    # --- clock and death --------------------------------------------------------------

    def cpu_seconds(self, descendants: bool) -> float:
        """CPU time the child has used, by the kernel's account.

        With `descendants`, also that of processes it started and waited for (in 10 ms).
        """
        if sys.platform != "linux":
            return time.process_time()
        own = time.clock_gettime((~self.pid << 3) | 2)
        return own + self._others_cpu() if descendants else own

    def _others_cpu(self) -> float:
        """CPU time of the rest of the group: what runs or ended there, and what was waited for.

        Orphans are not reaped before the child ends, so their time is not lost.
        """
        seconds, tick = 0.0, 1 / os.sysconf("SC_CLK_TCK")
        for pid, fields in _group_stats(self.pid):
            seconds += sum(map(int, fields[13:15])) * tick  # of children it has waited for
            if pid != self.pid:
                try:
                    seconds += time.clock_gettime((~pid << 3) | 2)
                except OSError:
                    seconds += sum(map(int, fields[11:13])) * tick
        return seconds

    def waited_seconds(self) -> float:
        """How long the child's threads were ready to run and had to wait; 0 where unknown."""
        waited = 0
        for path in Path(f"/proc/{self.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                waited += int(path.read_text().split()[1])
        return waited / 1e9

    def peak_mib(self) -> float:
        """The child's largest resident set so far, in MiB; 0 where unknown."""
        with contextlib.suppress(OSError, StopIteration, ValueError):
            status = Path(f"/proc/{self.pid}/status").read_text()
            line = next(row for row in status.splitlines() if row.startswith("VmHWM"))
            return int(line.split()[1]) / 1024
        return 0.0

    def group(self) -> dict[int, int]:
        """The processes of the child's group, itself among them, each with its threads."""
        return {
            pid: int(fields[17])
            for pid, fields in _group_stats(self.pid)
            if fields[0] not in (b"Z", b"X")
        }

    def how_it_died(self, patience: float = 1.0) -> tuple[str, bool]:
        """Why the child is gone, in words, and whether the sandbox killed it."""
        try:
            code = self._popen.wait(patience)
        except subprocess.TimeoutExpired:
            return "it closed its connection", False
        if code >= 0:
            return f"the process ended itself with exit code {code}", False
        if -code == signal.SIGSYS:
            return "a forbidden system call", True
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"the process died of {name}", False

    def kill(self) -> None:
        """End the child and everything in its process group, which nothing can leave."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()
        self._reap_group()
        self._socket.close()
        os.close(self._prints)

    def _reap_group(self) -> None:
        """Wait for what the child left behind; killed processes need a moment to end."""
        for _ in range(1000):
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                return
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-self.pid, os.WNOHANG)[0]:
                    pass
            time.sleep(0.001)


def _group_stats(leader: int) -> Iterator[tuple[int, list[bytes]]]:
    """Pid and `/proc/PID/stat` fields (from the state on) of each process of a group.

    This is asked several times a call, so of other groups no file is opened.
    """
    for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))):
        with contextlib.suppress(OSError, IndexError):
            if os.getpgid(pid) == leader:
                yield pid, Path("/proc", str(pid), "stat").read_bytes().rpartition(b")")[2].split()


def nonce() -> str:
    """An id no child can guess ahead of its request."""
    return secrets.token_hex(8)


@cache
def _regex_folder() -> str | None:
    spec = find_spec("regex")
    return str(Path(spec.origin).parent.parent) if spec and spec.origin else None
