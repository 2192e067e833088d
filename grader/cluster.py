"""Grade on a Dask cluster: one task a submission, its bytes sent along, the same verdicts.

Every worker needs this package in the same version; nothing else is shared, no file
system and no results folder. A worker that dies costs its tasks a second start.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader import batch, fingerprint, judge, pool
from grader.errors import GraderFault, IsolationTooLow, KataError, UsageError
from grader.gradebook import Entry
from grader.isolation import shortfall
from grader.pool import Job

_CONNECT_S = 20
_RETRIES = 2


@dataclass(frozen=True, slots=True)
class Task:
    """What travels: the job, how long it may wait, and what must be installed there."""

    job: Job
    seconds: float
    needed: Mapping[str, str]


class Cluster(batch.Engine):
    """The workers behind a scheduler's address."""

    def __init__(self, address: str, terms: pool.Terms, katas: tuple[str, ...]) -> None:
        self._client = _connected(address)
        self._needed = installed(katas)
        try:
            self.size = self._examined(dict(terms.floors or {}), katas)
        except BaseException:
            self.close()
            raise

    def _examined(self, floors: dict[str, str], katas: tuple[str, ...]) -> int:
        """The number of tasks at a time, once each worker was found fit."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise UsageError("The Dask scheduler has no worker; start one with `dask worker`.")
        found = self._client.run(examine, floors, katas)
        for address, (there, below) in sorted(found.items()):
            _agree(self._needed, there, address)
            if below:
                raise IsolationTooLow(f"Worker {address}: {below}")
        return max(1, sum(int(worker["nthreads"]) for worker in workers.values()))

    def grade(self, job: Job, until: float) -> Entry:
        """Send one submission and wait for its entry."""
        task = Task(job, until - time.monotonic(), self._needed)
        future = self._client.submit(perform, task, pure=False, retries=_RETRIES)
        try:
            entry = future.result()
        except KataError:
            raise
        except Exception as error:
            raise GraderFault(f"The cluster gave no answer: {error}.") from None
        assert isinstance(entry, Entry)
        return entry

    def close(self) -> None:
        self._client.close()


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--dask needs the package `distributed`; install bpe-kata[cluster]."
        ) from None
    try:
        connect: Any = Client  # it has no types
        return connect(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"--dask {address}: there is no scheduler ({error}).") from None


# --- on a worker ----------------------------------------------------------------------

_own = threading.local()


def installed(katas: tuple[str, ...]) -> dict[str, str]:
    """What a verdict here depends on."""
    from grader import catalog

    suites = {f"suite of {name}": fingerprint.of_suite(catalog.find(name)) for name in katas}
    return judge.versions() | suites


def examine(floors: dict[str, str], katas: tuple[str, ...]) -> tuple[dict[str, str], str | None]:
    """What is installed on a worker, and why its isolation is too low, if it is."""
    return installed(katas), shortfall(floors)


def perform(task: Task) -> Entry:
    """Grade one submission in a process of this machine."""
    names = tuple(taken.kata for taken in task.job.snapshot.files)
    there = installed(names)
    _agree({name: task.needed.get(name, "") for name in there}, there, "this one")
    if not hasattr(_own, "worker"):
        _own.worker = pool.Worker()  # it lives as long as the thread, and ends with its stdin
    return pool.grade(_own.worker, task.job, time.monotonic() + task.seconds)


def _agree(needed: Mapping[str, str], there: Mapping[str, str], where: str) -> None:
    for name, version in sorted(needed.items()):
        if there.get(name) != version:
            raise GraderFault(
                f"Worker {where} has {name} {there.get(name)}, and here it is {version}; "
                "install the same version everywhere."
            )
