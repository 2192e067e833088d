"""A child over pipes: which prints belong to which answer, and that nothing waits for ever."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model import Call, Crashed, Exhausted, Raised, Returned, TimedOut
from grader.sandbox import launch, pipes
from grader.sandbox.host import Host
from grader.sandbox.posix import Posix
from grader.sandbox.procfs import Linux
from tests import transports
from tests.samples import FILE_KATA, KATA, submission

MARK = b"\0ab\0"


@pytest.fixture(autouse=True)
def over_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    transports.use("pipes", monkeypatch)


@given(
    st.lists(st.sampled_from([b"\0", b"a", b"\0a", b"\0ab", MARK, b"text"])),
    st.lists(st.integers(0, 40)),
)
def test_marks_are_found_wherever_a_read_ends(parts: list[bytes], cuts: list[int]) -> None:
    """Text and number of marks do not depend on how the stream was cut; nothing is lost."""
    stream = b"".join(parts)
    text, marks, rest = b"", 0, b""
    places = sorted({0, len(stream), *(min(cut, len(stream)) for cut in cuts)})
    for begin, end in pairwise(places):
        found, more, rest = pipes.unmarked(rest + stream[begin:end], MARK)
        text, marks = text + found, marks + more
    whole = stream.split(MARK)
    assert (text + rest, marks) == (b"".join(whole), len(whole) - 1)
    assert len(rest) < len(MARK)


def test_each_call_has_its_own_prints() -> None:
    """Two pipes and a thread for each mix nothing up, however short a call is."""
    source = "import os\ndef train(w, n):\n    print(n); os.write(2, b'!' * (n % 3)); return []"
    with Host(KATA, submission(source), hash_seed=1) as host:
        for n in range(200):
            found = host.call(Call("train", ({}, n)))
            assert isinstance(found, Returned)
            assert found.prints == f"{n}\n" + "!" * (n % 3)


def test_the_last_words_of_a_dying_child_are_kept() -> None:
    """What was printed before the end is in the report, with the way the process ended."""
    source = "import os\ndef train(w, n):\n    print('last'); os._exit(7)"
    with Host(KATA, submission(source), hash_seed=1) as host:
        found = host.call(Call("train", ({}, 1)))
    assert found == Crashed("the process ended itself with exit code 7", "last\n")


def test_a_child_without_marks_loses_only_its_own_prints() -> None:
    """A submission that finds the mark and drops it is still answered, and waited for once."""
    source = """
        import sys
        def train(w, n):
            frame = sys._getframe()
            while frame:
                if "channel" in frame.f_locals:
                    frame.f_locals["channel"].mark = b""
                frame = frame.f_back
            print(n)
            return []
    """
    with Host(KATA, submission(source), hash_seed=1) as host:
        for n in range(50):
            assert isinstance(host.call(Call("train", ({}, n))), Returned)
        assert host._process is not None
        assert host._process._unmarked  # type: ignore[attr-defined]


def test_answers_nobody_asked_for_end_at_the_limit() -> None:
    """A flood on the channel fills a queue of bounded size, and then the child waits."""
    source = """
        import os
        def train(w, n):
            while True:
                for fd in range(3, 8):
                    try: os.write(fd, bytes(4096))
                    except OSError: pass
    """
    with Host(KATA, submission(source), hash_seed=1) as host:
        found = host.call(Call("train", ({}, 1)))
        assert isinstance(found, Crashed | TimedOut)


def test_a_large_argument_and_a_large_answer_come_through() -> None:
    """More than a pipe holds goes both ways."""
    with Host(KATA, submission("def train(w, n):\n    return [(k, k) for k in w]")) as host:
        words = {f"{i:06}": 1 for i in range(30_000)}
        found = host.call(Call("train", (words, 1)))
        assert isinstance(found, Returned)
        assert len(found.value) == len(words)


def test_prints_of_a_process_left_behind_are_not_waited_for() -> None:
    """A daemon that keeps the pipe of prints open dies with the child, and so does its hold."""
    source = """
        import os, time
        def read(path):
            if os.fork() == 0:
                while True: time.sleep(1)
            os._exit(0)
    """
    kata = replace(FILE_KATA, limits=replace(FILE_KATA.limits, call_s=0.3))
    with Host(kata, submission(source), hash_seed=1) as host:
        # It holds the pipe of answers as well, so the end of its parent is not seen.
        assert isinstance(host.call(Call("read", (b"",))), TimedOut)
        assert host._process is None


def test_memory_is_watched_where_the_system_does_not_bound_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An endless child whose memory is over the limit is MEMORY, not TIMEOUT."""

    class Unbounded(Linux):
        bounds_memory = False

        def peak_mib(self) -> float:
            return 10_000.0

    monkeypatch.setattr(launch, "system", Unbounded)
    source = "def train(w, n):\n    while True: pass"
    with Host(KATA, submission(source), hash_seed=1) as host:
        found = host.call(Call("train", ({}, 1)))
    assert isinstance(found, Exhausted)


def test_a_system_that_tells_nothing_still_runs_and_ends_a_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without any account calls work, the report says what is missing, and nothing is timed."""
    monkeypatch.setattr(launch, "system", Posix)
    with Host(KATA, submission("def train(w, n):\n    raise ValueError"), hash_seed=1) as host:
        assert isinstance(host.call(Call("train", ({}, 1))), Raised)
        assert host.isolation is not None
        assert "no growth is judged" in (host.isolation.note or "")
        assert host.clock_problem() == "this system does not tell the CPU time of another process"
        assert (host.cpu_seconds(), host.peak_mib()) == (0.0, 0.0)


def test_windows_runs_the_interpreter_itself_in_its_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not the launcher of an environment, and with the one variable its libraries need."""
    here = SimpleNamespace(name="nt", environ={"SYSTEMROOT": "C:\\Windows", "SECRET": "x"})
    monkeypatch.setattr(pipes, "os", here)
    monkeypatch.setattr(pipes.sys, "_base_executable", "C:\\Python\\python.exe")
    assert pipes._interpreter() == "C:\\Python\\python.exe"
    assert pipes._environment(5) == {"PYTHONHASHSEED": "5", "SYSTEMROOT": "C:\\Windows"}
