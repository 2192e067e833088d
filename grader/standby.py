"""A process that stands ready with everything imported and forks a judge for each job.

Importing pytest and Hypothesis costs more than judging a small kata. A judge that is no
longer wanted is ended at once, and with it the student's endless loop. When the process
that asked is gone, however it went, this one ends its judge, mends the terminal, and goes.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from grader import catalog, submission
from grader.errors import KataError
from grader.model import Report, Verdict
from grader.record import Record
from grader.workspace import Workspace

_GRACE_S = 0.2  # for a judge to remove its files


@dataclass(frozen=True, slots=True)
class Job:
    """One kata of a workspace to judge; `path` as it is to be shown."""

    kata: str
    root: Path
    path: str
    retry: str | None = None  # the case to run first


@dataclass(frozen=True, slots=True)
class Judged:
    """A case is done."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Phase:
    """The cases are done; this comes next."""

    name: str


@dataclass(frozen=True, slots=True)
class Done:
    """The report, and a sentence when it could not be remembered."""

    report: Report
    note: str | None


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no report; the sentence says why."""

    sentence: str


News = Judged | Phase | Done | Failed


class Standby:
    """The ready process, as seen by the one that asks. Start it before any thread."""

    def __init__(self, at_end: Callable[[], None] = lambda: None) -> None:
        """`at_end` runs in the ready process when this one is gone."""
        ours, theirs = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            ours.close()
            _serve(theirs, at_end)
        theirs.close()
        self._control = ours
        self.news: Connection | None = None  # of the job that runs

    def run(self, job: Job) -> Connection:
        """Start a job, ending the one that runs; what is received from here is `News`."""
        self.forget()
        ours, theirs = socket.socketpair()
        socket.send_fds(self._control, [pickle.dumps(job)], [theirs.fileno()])
        theirs.close()
        self.news = Connection(ours.detach())
        return self.news

    def stop(self) -> None:
        """End the job that runs, if one does."""
        self.forget()
        with suppress(OSError):
            self._control.send(pickle.dumps(None))

    def forget(self) -> None:
        """Listen no longer to the job that runs."""
        if self.news is not None:
            self.news.close()
            self.news = None

    def close(self) -> None:
        """End the job and the ready process."""
        self.forget()
        self._control.close()
        with suppress(ChildProcessError, InterruptedError):
            os.waitpid(self._pid, 0)


def _serve(control: socket.socket, at_end: Callable[[], None]) -> None:
    """The ready process: fork a judge for each job until the other side is gone."""
    judge_pid: int | None = None
    try:
        for number in (signal.SIGINT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the end of the other side is told by EOF
        _warm()
        while True:
            message, handles, _, _ = socket.recv_fds(control, 1 << 16, 1)
            _end(judge_pid)
            judge_pid = None
            if not message:
                break
            job = pickle.loads(message)  # from the process this one was forked from
            if job is None:
                continue
            judge_pid = os.fork()
            if judge_pid == 0:
                control.close()
                _judge(job, Connection(handles[0]))
            os.close(handles[0])
    finally:
        with suppress(BaseException):
            _end(judge_pid)
            at_end()
        os._exit(0)


def _warm() -> None:
    """Import what every job needs."""
    import pytest  # noqa: F401

    from grader.plugin import prepare_suites

    with suppress(KataError):
        catalog.all_katas()
        prepare_suites()
    gc.collect()
    gc.freeze()  # the judges need not look at all this again


def _end(pid: int | None) -> None:
    """End a judge: kindly, so that it removes its files, then for good."""
    if pid is None:
        return
    with suppress(ProcessLookupError, ChildProcessError):
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + _GRACE_S
        while time.monotonic() < until:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
            time.sleep(0.002)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _judge(job: Job, news: Connection) -> None:
    """The judge: one report, then the end of the process."""
    code = 1
    try:
        os.setpgid(0, 0)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGTSTP, signal.SIGTTOU, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        _send(news, _judged(job, news))
        code = 0
    except KeyboardInterrupt:
        pass
    except KataError as error:
        _send(news, Failed(str(error)))
    except Exception as error:
        told = f"The grader itself failed ({type(error).__name__}: {error})."
        _send(news, Failed(told))
    finally:
        os._exit(code)


def _judged(job: Job, news: Connection) -> Done:
    from grader import judge

    kata, home = catalog.find(job.kata), Workspace(job.root)
    record, source, note = Record(home), Path(job.path), None
    found: Any = source
    with suppress(submission.Ungradable):
        read = submission.read(home.file(kata))
        found = submission.check(job.path, read.source)
        note = record.before(kata, found)
    report = judge.judge(
        kata,
        found,
        judge.Options(retry=job.retry),
        on_verdict=lambda verdict: _send(news, Judged(verdict)),
        on_phase=lambda phase: _send(news, Phase(phase)),
    )
    return Done(report, record.after(report) or note)


def _send(news: Connection, what: News) -> None:
    """Tell, unless nobody listens any more."""
    with suppress(OSError):
        news.send(what)
