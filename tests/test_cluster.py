"""On a cluster the verdicts are those of one machine, also when a worker dies half-way."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader import batch, grading
from grader.errors import GraderFault, UsageError
from grader.gradebook import Entry
from grader.grading import Request
from grader.render.json import verdicts
from tests import forks

pytest.importorskip("distributed")
from grader import cluster

ROOT = Path(grading.__file__).resolve().parent.parent
STUDENTS = 6
WRONG = b"def merge_pair(symbols, pair):\n    return symbols\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    for number in range(STUDENTS):
        content = WRONG if number % 2 else forks.reference("merge_pair")
        forks.checkout(folder / f"s{number}", {"merge_pair": content})
    return folder


def start(*words: str, log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "dask", *words],
            cwd=log.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=file,
            stderr=file,
        )


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers on loopback: its address, and the workers."""
    told = tmp_path / "scheduler.json"
    place = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
    started = [start("scheduler", *place, log=tmp_path / "scheduler.log")]
    worker = ("--scheduler-file", str(told), "--nthreads", "1", "--no-nanny", "--no-dashboard")
    try:
        started += [
            start("worker", *worker, "--host", "127.0.0.1", log=tmp_path / f"{n}.log")
            for n in range(2)
        ]
        from distributed import Client

        with Client(scheduler_file=str(told), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def grade(course: Path, **options: Any) -> dict[str, Any]:
    out = io.StringIO()
    request = Request((course,), katas=("merge_pair",), seed=7, format="json", **options)
    assert grading.run(request, out, io.StringIO()) == 0
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_a_worker_that_dies_changes_nothing(
    course: Path,
    tmp_path: Path,
    machines: tuple[str, list[subprocess.Popen[bytes]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of two is killed after the first result; the verdicts are the local ones."""
    address, workers = machines
    local = grade(course, results=tmp_path / "local", jobs=2)
    kept = batch.Results.keep

    def keep_and_kill(results: batch.Results, entry: Entry) -> None:
        kept(results, entry)
        if workers[0].poll() is None:
            workers[0].send_signal(signal.SIGKILL)

    monkeypatch.setattr(batch.Results, "keep", keep_and_kill)
    spread = grade(course, results=tmp_path / "cluster", dask=address)
    assert workers[0].wait() == -signal.SIGKILL
    assert json.dumps(verdicts(spread)) == json.dumps(verdicts(local))
    assert len(spread["students"]) == STUDENTS


def test_without_a_scheduler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad address is a usage error, in one sentence."""
    monkeypatch.setattr(cluster, "_CONNECT_S", 0.1)
    with pytest.raises(UsageError, match="there is no scheduler"):
        cluster._connected("tcp://127.0.0.1:9")


def test_a_worker_with_other_versions_is_refused() -> None:
    """It is named, with both versions."""
    needed = cluster.installed(("merge_pair",))
    with pytest.raises(GraderFault, match=r"Worker x has hypothesis 1, and here it is .*same"):
        cluster._agree(needed, {**needed, "hypothesis": "1"}, "x")
    assert "suite of merge_pair" in needed
