"""A child over a socket pair, its prints over a pipe, both watched with `poll`. POSIX."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import time
from typing import Any

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
_POLL_S = 3600.0  # `poll` takes no more than 24 days


class SocketProcess(Process):
    """A child that is sent frames over one descriptor, which it is told by number."""

    def _spawn(self, start: Start) -> Popen:
        ours, theirs = socket.socketpair()
        prints, child_prints = os.pipe()
        try:
            popen = subprocess.Popen(
                [sys.executable, *OPTIONS, str(CHILD), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=child_prints,
                stderr=child_prints,
                pass_fds=[theirs.fileno()],
                cwd=start.scratch.work,
                env={"PYTHONHASHSEED": str(start.hash_seed)},
                start_new_session=True,
            )
        finally:
            theirs.close()
            os.close(child_prints)
        ours.setblocking(False)
        os.set_blocking(prints, False)
        self._socket, self._prints = ours, prints
        self._prints_open = True
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)
        self._poll.register(prints, select.POLLIN)
        return popen

    def send(self, message: list[Any], deadline: float) -> int:
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
            ready = self._poll.poll(min(left, LOOK_S if self._guard else _POLL_S) * 1000)
            self.look()
            for descriptor, _ in ready:
                if descriptor == self._prints:
                    self._collect()
                else:
                    return

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
            self._keep(piece)
            if self._dropped:
                return  # a flood must not keep us from the deadline

    def _close(self) -> None:
        self._socket.close()
        os.close(self._prints)
