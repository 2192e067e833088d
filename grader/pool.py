"""Judge submissions in worker processes: one `Job` in, the marks of its student out."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import catalog
from grader.errors import GraderFault
from grader.gradebook import NOT_GRADED, Entry, Found, Mark
from grader.sources import Snapshot, Taken

#: `-P` keeps the cwd off the path, and so does the `append`: a fork may be the cwd.
_OPTIONS = ("-P", "-s")
_BOOT = "import sys; sys.path.append(sys.argv[1]); from grader.worker import main; main()"
#: What a worker may know of our environment: never a token.
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "KATA_DEBUG", "VIRTUAL_ENV")
_PATHS = ("PYTHONPATH", "PYTHONHOME")


#: Private tests: kata, name, text.
Extra = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for every submission of a batch; plain data."""

    seed: int
    timing: bool = False
    floors: Mapping[str, str] | None = None  # the isolation to require, by policy
    extra: Extra = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One student's files and how to judge them."""

    snapshot: Snapshot
    terms: Terms


class Stopped(Exception):
    """The pool was closed while a worker was at work."""


class Worker:
    """One worker process, started when it is first needed; one request at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request. A worker that dies is replaced at the next one."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
            answer = json.loads(line)
        except (OSError, ValueError):
            self._end()
            if self._closed:
                raise Stopped from None
            return {"broken": "The judging process died."}
        assert isinstance(answer, dict)
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise Stopped
        if self._process is None:
            kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
            paths = {name: os.environ[name] for name in _PATHS if name in os.environ}
            root = str(Path(__file__).resolve().parent.parent)
            try:
                self._process = subprocess.Popen(
                    [sys.executable, *_OPTIONS, "-c", _BOOT, root],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd="/",  # until it has a folder of its own
                    env={**kept, **paths, "PYTHONHASHSEED": "0"},
                    start_new_session=True,  # Ctrl-C is ours to handle
                )
            except OSError as error:
                raise GraderFault(f"No worker could be started: {error.strerror}.") from None
        return self._process

    def close(self) -> None:
        """End the worker and whatever it is judging; safe to repeat, from any thread."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()  # it ends what it judges, tidies up, and goes
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Pool:
    """Up to `size` workers, lent to threads one at a time."""

    def __init__(self, size: int) -> None:
        self._workers = [Worker() for _ in range(size)]
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def worker(self) -> Iterator[Worker]:
        worker = self._idle.get()
        try:
            yield worker
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        threads = [threading.Thread(target=worker.close) for worker in self._workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def grade(worker: Worker, job: Job, until: float = float("inf")) -> Entry:
    """The entry of one student. Katas not begun at `until` (monotonic) are NOT_GRADED."""
    started = time.monotonic()
    marks = []
    for taken in job.snapshot.files:
        late = time.monotonic() >= until
        marks.append(_not_graded(taken) if late else _mark(worker, taken, job.terms))
    seconds = time.monotonic() - started
    return Entry(job.snapshot.student, job.snapshot.origin, tuple(marks), seconds)


def _not_graded(taken: Taken) -> Mark:
    return Mark(taken.kata, NOT_GRADED, "The time budget was spent.", taken.sha256)


def _mark(worker: Worker, taken: Taken, terms: Terms) -> Mark:
    if taken.found is not Found.FILE:
        return Mark(taken.kata, taken.found.value, taken.text)
    kata = catalog.find(taken.kata)
    answer = worker.ask(
        {
            "kata": taken.kata,
            "path": taken.path,
            "source": base64.b64encode(taken.source).decode("ascii"),
            "seed": terms.seed,
            "timing": None if terms.timing else False,
            "require_isolation": (terms.floors or {}).get(kata.policy),
            "extra": [[name, text] for of, name, text in terms.extra if of == taken.kata],
            "seconds": kata.limits.kata_s * (2 if terms.timing else 1),
        }
    )
    if "broken" in answer:
        return Mark(taken.kata, "BROKEN", str(answer["broken"]), taken.sha256)
    report = answer["report"]
    return Mark(
        kata=taken.kata,
        result=report["outcome"],
        text=report["message"],
        sha256=taken.sha256,
        line=taken.line,
        report=report,
        statement_changed=answer["statement_changed"],
        similar=answer["similar"],
    )
