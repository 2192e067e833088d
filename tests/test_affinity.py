"""Parent and pure child take turns on one CPU; everything else keeps all of them."""

from __future__ import annotations

import os
import sys

import pytest

from grader import bench, catalog, submission
from grader.judge import Options, judge
from grader.sandbox import affinity
from grader.sandbox.host import Host

if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
    pytest.skip("needs Linux and two CPUs", allow_module_level=True)


def cpus_of_child(name: str) -> set[int]:
    kata = catalog.find(name)
    with Host(kata, submission.load(kata, "reference")) as host:
        assert host.load() is None
        assert host._process is not None
        return os.sched_getaffinity(host._process.pid)


def test_a_thread_binds_itself_and_is_free_again() -> None:
    before = affinity.cpus()
    with affinity.one_cpu():
        bound = affinity.cpus()
        assert len(bound) == 1
        assert bound < before
        with affinity.one_cpu():
            assert affinity.cpus() == bound
        assert affinity.cpus() == bound
    assert affinity.cpus() == before


def test_a_pure_child_comes_along() -> None:
    with affinity.beside("pure"):
        assert cpus_of_child("merge_pair") == affinity.cpus()
    assert cpus_of_child("merge_pair") == affinity.cpus()


def test_worker_processes_have_all_cpus() -> None:
    with affinity.beside("corpus"):
        assert cpus_of_child("train_byte_bpe") == affinity.cpus()
    assert len(affinity.cpus()) > 1


def test_a_verdict_leaves_no_trace() -> None:
    before = affinity.cpus()
    assert judge(catalog.find("pair_counts"), "reference", Options(timing=False)).passed
    assert affinity.cpus() == before


@pytest.mark.parametrize("name", ["merge_pair", "train_byte_bpe"])
def test_both_sides_of_a_timing_run_on_the_same_cpu(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On cores of different speed a reference was 1.5 times itself."""
    seen: dict[Host, set[int]] = {}
    run = Host.run

    def noted(self: Host, *args: float) -> float:
        assert self._process is not None
        seen[self] = os.sched_getaffinity(self._process.pid)
        return run(self, *args)

    monkeypatch.setattr(Host, "run", noted)
    kata = catalog.find(name)
    assert bench.time_kata(kata, submission.load(kata, "reference"), budget_s=0.5) is not None
    assert len(seen) >= 2
    assert len({frozenset(cpus) for cpus in seen.values()}) == 1
    assert all(len(cpus) == 1 for cpus in seen.values())
    assert len(affinity.cpus()) > 1
