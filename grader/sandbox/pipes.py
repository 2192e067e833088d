"""A child over three anonymous pipes, each served by a thread. Windows; it runs anywhere.

No pipe of Windows can be waited for together with another, or with a deadline. So one thread
writes frames, one reads answers into a queue of bounded size, and one keeps prints up to their
limit; the deadline is that of the queue.
"""

from __future__ import annotations

import os
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Any

from grader.sandbox import wire
from grader.sandbox.process import (
    CHILD,
    LOOK_S,
    OPTIONS,
    DeadlinePassed,
    Died,
    Process,
    Start,
)
from grader.sandbox.system import Popen

_READ = 1 << 16
_PIECES = 16  # of answers that were read and not asked for: 1 MiB
_PRINTS_S = 0.5  # how long prints that belong to an answer are waited for
_JOIN_S = 2.0
_NEW_GROUP, _NO_WINDOW = 0x0200, 0x08000000  # Windows: Ctrl-C at the desk is not for the child


class PipeProcess(Process):
    """A child that is sent frames on stdin, answers on what was its stdout, prints on stderr.

    Prints and answers come by different ways, and no thread can tell which was first. So the
    child writes a mark among its prints before each answer. A child that leaves marks out or
    adds some only has its own prints shown with another call.
    """

    def _spawn(self, start: Start) -> Popen:
        popen = subprocess.Popen(
            [_interpreter(), *OPTIONS, str(CHILD), "pipes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=start.scratch.work,
            env=_environment(start.hash_seed),
            start_new_session=True,
            creationflags=_NEW_GROUP | _NO_WINDOW if os.name == "nt" else 0,
        )
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._files: tuple[IO[bytes], ...] = (popen.stdin, popen.stdout, popen.stderr)
        self._requests: queue.Queue[bytes] = queue.Queue(1)
        self._answers: queue.Queue[bytes] = queue.Queue(_PIECES)  # an empty one is the end
        self._mark = b"\0" + secrets.token_hex(8).encode() + b"\0"
        self._changed = threading.Condition()  # of what was printed
        self._received = self._marks = 0
        self._ended = self._prints_ended = self._closing = False
        self._unmarked = False  # the child does not keep to marks, so they are not waited for
        self._threads = [
            threading.Thread(target=work, daemon=True, name=f"child {popen.pid}")
            for work in (self._write_requests, self._read_answers, self._read_prints)
        ]
        for thread in self._threads:
            thread.start()
        return popen

    def _more_settings(self) -> Mapping[str, Any]:
        return {"mark": self._mark.decode()}

    def send(self, message: list[Any], deadline: float) -> int:
        frame = wire.pack(message)
        self._until(deadline, lambda seconds: self._requests.put(frame, timeout=seconds))
        return len(frame)

    def receive(self, deadline: float, cap: int) -> list[Any]:
        reply = super().receive(deadline, cap)
        self._received += 1
        return reply

    def _fill(self, size: int, deadline: float) -> None:
        while len(self._pending) < size:
            piece = self._until(deadline, lambda seconds: self._answers.get(timeout=seconds))
            if not piece:
                self._ended = True
                raise Died
            self._pending += piece

    def _until(self, deadline: float, attempt: Callable[[float], Any]) -> Any:
        """Use a queue, looking in meanwhile. Short waits: on Windows Ctrl-C ends none."""
        while not self._ended:
            left = deadline - time.monotonic()
            if left <= 0:
                raise DeadlinePassed
            try:
                return attempt(min(left, LOOK_S))
            except (queue.Full, queue.Empty):
                self.look()
        raise Died

    def _collect(self) -> None:
        with self._changed:
            if not self._changed.wait_for(self._complete, _PRINTS_S):
                self._unmarked = True

    def _complete(self) -> bool:
        """Whether everything printed before the last answer, or the end, has come."""
        marked = not self._ended and self._marks >= self._received
        return self._prints_ended or self._unmarked or marked

    def take_prints(self) -> str:
        with self._changed:
            return super().take_prints()

    # --- the threads ------------------------------------------------------------------

    def _write_requests(self) -> None:
        descriptor = self._files[0].fileno()
        while not self._closing:
            try:
                view = memoryview(self._requests.get(timeout=LOOK_S))
                while view:
                    view = view[os.write(descriptor, view) :]
            except queue.Empty:
                continue
            except OSError:
                return  # the child is gone; the end of its answers says so

    def _read_answers(self) -> None:
        piece: bytes | None = None
        while piece != b"":
            piece = _piece(self._files[1])
            while not self._closing:
                try:
                    self._answers.put(piece, timeout=LOOK_S)
                    break
                except queue.Full:
                    continue

    def _read_prints(self) -> None:
        rest = b""
        while piece := _piece(self._files[2]):
            text, marks, rest = unmarked(rest + piece, self._mark)
            with self._changed:
                self._keep(text)
                self._marks += marks
                self._changed.notify()
        with self._changed:
            self._keep(rest)
            self._prints_ended = True
            self._changed.notify()

    def _close(self) -> None:
        self._closing = True
        for thread in self._threads:
            thread.join(_JOIN_S)
        if not any(thread.is_alive() for thread in self._threads):
            for file in self._files:  # a thread that still uses one keeps it
                file.close()


def _piece(file: IO[bytes]) -> bytes:
    """What has come, at least a byte; empty at the end."""
    try:
        return os.read(file.fileno(), _READ)
    except OSError:
        return b""


def unmarked(data: bytes, mark: bytes) -> tuple[bytes, int, bytes]:
    """Prints without their marks, how many there were, and an end that may begin another."""
    *texts, rest = data.split(mark)
    begun = next(n for n in range(len(mark) - 1, -1, -1) if rest.endswith(mark[:n]))
    cut = len(rest) - begun
    return b"".join(texts) + rest[:cut], len(texts), rest[cut:]


def _interpreter() -> str:
    """The interpreter itself.

    In an environment of Windows `sys.executable` only starts another, which would be outside
    of a job the first is put into.
    """
    return getattr(sys, "_base_executable", sys.executable) if os.name == "nt" else sys.executable


def _environment(hash_seed: int) -> dict[str, str]:
    """Empty but for the hash seed; Windows' own libraries do not load without its folder."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {"PYTHONHASHSEED": str(hash_seed), **(kept if os.name == "nt" else {})}
