"""Grade many submissions: several at once, each written as it comes, resumed where it stopped.

Nothing that is wrong with one student's repository, and no fault of the grader on one
submission, keeps the others from their marks.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from grader import sources, workspace
from grader.errors import UsageError
from grader.gradebook import NOT_GRADED, Entry, Mark, Origin, from_dict, to_dict
from grader.pool import Job, Pool, Stopped, Terms, grade
from grader.sources import Place, Snapshot

SCHEMA = "kata-grade/1"
#: Results that say nothing about the submission: a batch that goes on tries these again.
_UNDECIDED = ("BROKEN", NOT_GRADED)


class Engine(Protocol):
    """Where submissions are judged; `grade` is called from several threads."""

    size: int

    def grade(self, job: Job, until: float) -> Entry: ...

    def close(self) -> None: ...


class Local:
    """Worker processes of this machine."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool = Pool(size)

    def grade(self, job: Job, until: float) -> Entry:
        with self._pool.worker() as worker:
            return grade(worker, job, until)

    def close(self) -> None:
        self._pool.close()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be graded, and how."""

    places: tuple[Place, ...]
    katas: tuple[str, ...]
    terms: Terms
    deadline: datetime | None = None


# --- the results folder ---------------------------------------------------------------


class Results:
    """A folder with one file a student, in `kata-grade/1`, whole or not there.

    It holds what hidden cases expect, so only its owner may read it.
    """

    def __init__(self, folder: Path, head: Mapping[str, Any]) -> None:
        """`head`: what must be the same when a batch goes on; its `seed` may be None."""
        self.folder = folder
        self._lock: IO[bytes] | None = None
        self.head = dict(head)

    def __enter__(self) -> Results:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = (self.folder / "batch.lock").open("wb")
        except OSError as error:
            raise UsageError(f"--results {self.folder}: {error.strerror}; name a folder.") from None
        if not _locked(self._lock):
            raise UsageError(f"Another batch is writing to {self.folder}; wait, or name another.")
        self._agree()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            self._lock.close()

    def _agree(self) -> None:
        """Take the seed of an earlier run; refuse what would mix two gradings."""
        path = self.folder / "batch.json"
        if not path.exists():
            return
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
            if self.head["seed"] is None:
                self.head["seed"] = before["seed"]
            differing = sorted(
                key for key in {*self.head, *before} if self.head.get(key) != before.get(key)
            )
        except (OSError, ValueError, LookupError, TypeError):
            raise UsageError(f"{path} is not of this program; name another --results.") from None
        if differing:
            raise UsageError(
                f"The batch in {self.folder} was begun with other {', '.join(differing)}; "
                "give the same options to go on, or name another --results."
            )

    def begin(self, seed: int) -> None:
        """Keep what the batch was begun with, before the first result."""
        self.head["seed"] = seed
        _write(self.folder / "batch.json", self.head)

    def path(self, student: str) -> Path:
        """Where the file of a student lies; no name can leave the folder."""
        plain = re.sub(r"[^\w.-]+", "_", student, flags=re.ASCII).strip("._")[:40] or "student"
        digest = hashlib.sha256(student.encode("utf-8", "backslashreplace")).hexdigest()
        return self.folder / f"{plain}-{digest[:10]}.json"

    def stored(self, snapshot: Snapshot) -> Entry | None:
        """The entry of an earlier run, if it is about these very files and decided."""
        try:
            data = json.loads(self.path(snapshot.student).read_text(encoding="utf-8"))
            entry = from_dict(data["students"][0])
        except (OSError, ValueError, LookupError, TypeError):
            return None
        decided = not any(mark.result in _UNDECIDED for mark in entry.marks)
        same = entry.origin == snapshot.origin and _identities(entry) == _files(snapshot)
        return entry if decided and same else None

    def keep(self, entry: Entry) -> None:
        """Write a student's file."""
        _write(self.path(entry.student), document([entry], self.head, revealed=True))


def document(
    entries: Sequence[Entry], head: Mapping[str, Any], *, revealed: bool
) -> dict[str, Any]:
    """The object of `kata-grade/1`; `revealed`: it has what hidden cases expect."""
    return {
        "schema": SCHEMA,
        "revealed": revealed,
        "passed": all(entry.passed for entry in entries),
        "batch": dict(head),
        "students": [to_dict(entry) for entry in entries],
    }


def _identities(entry: Entry) -> list[tuple[str, str]]:
    return [(mark.kata, mark.sha256 or mark.result) for mark in entry.marks]


def _files(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(taken.kata, taken.sha256 or taken.found.value) for taken in snapshot.files]


def _write(path: Path, data: Mapping[str, Any]) -> None:
    text = json.dumps(data, indent=1, ensure_ascii=True) + "\n"
    workspace.write_atomically(path, text.encode("ascii"))


def _locked(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # not POSIX: nothing to lock with
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# --- the batch ------------------------------------------------------------------------


def run(
    plan: Plan,
    engine: Engine,
    results: Results | None = None,
    until: float = float("inf"),
    told: Callable[[Entry, bool], None] = lambda entry, again: None,
) -> list[Entry]:
    """Grade everybody and return the entries in the plan's order.

    `told(entry, again)` hears of each as it comes; `again` says it was graded before. What
    was not begun at `until` (monotonic) is NOT_GRADED, and is not kept.
    """
    found: dict[str, Entry] = {}
    waiting = list(reversed(plan.places))
    threads = ThreadPoolExecutor(max(1, engine.size), thread_name_prefix="grade")
    running: set[Future[tuple[Entry, bool]]] = set()
    try:
        while waiting or running:
            # A few ahead, not all: a student's files are read when their turn comes.
            while waiting and len(running) < engine.size + 1:
                place = waiting.pop()
                running.add(threads.submit(_one, plan, place, engine, results, until))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                entry, again = future.result()
                found[entry.student] = entry
                told(entry, again)
    except BaseException:
        for future in running:
            future.cancel()
        engine.close()
        raise
    finally:
        threads.shutdown(wait=True, cancel_futures=True)
        engine.close()
    return [found[place.student] for place in plan.places]


def _one(
    plan: Plan, place: Place, engine: Engine, results: Results | None, until: float
) -> tuple[Entry, bool]:
    """One student from repository to file."""
    if time.monotonic() >= until:
        return _nothing(place, plan, NOT_GRADED, "The time budget was spent."), False
    try:
        snapshot = sources.read(place, plan.katas, plan.deadline)
        stored = results.stored(snapshot) if results else None
        if stored is not None:
            return stored, True
        entry = engine.grade(Job(snapshot, plan.terms), until)
    except Stopped:
        raise
    except Exception:
        entry = _nothing(place, plan, "BROKEN", traceback.format_exc())
    if results is not None and not any(mark.result == NOT_GRADED for mark in entry.marks):
        results.keep(entry)
    return entry, False


def _nothing(place: Place, plan: Plan, result: str, text: str) -> Entry:
    marks = tuple(Mark(kata, result, text) for kata in plan.katas)
    return Entry(place.student, Origin(place.given, place.revision), marks)


def undecided(entries: Sequence[Entry]) -> int:
    """How many students have a kata that was not graded."""
    return sum(any(mark.result == NOT_GRADED for mark in e.marks) for e in entries)


def jobs_of_this_machine() -> int:
    """As many as there are cores for us."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
