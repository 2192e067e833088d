"""A time cannot be bought: what a submission does to look fast leaves its ratio where it was.

Each submission does the work of an honest one, or hides it. Both are measured beside the same
slower reference; an undetected trick has a small part of the honest ratio. No bound on seconds.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader import bench
from grader.model import Call, Kata, Limits
from grader.sandbox.host import Host
from grader.workloads import Workload
from tests.samples import FILE_KATA, KATA, submission

#: Of the honest time: far below what noise explains, and far above what a trick aims at.
LEAST = 0.4
LIMITS = Limits(import_s=20.0, call_s=20.0, kata_s=60.0, memory_mib=1024)

WORK = """
def work(n):
    return [("a", str(sum(i * i for i in range(15_000 + n))))]
"""

HONEST = f"""{WORK}
def train(w, n):
    return work(n)
"""

#: Slower, so that the submission is the side whose runs are repeated.
REFERENCE = f"""{WORK}
def train(w, n):
    return [work(n) for _ in range(3)][0]
"""

PURE = {
    "clocks that stand still": f"""{WORK}
import time
for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)
def train(w, n):
    return work(n)
""",
    "clocks of libc that stand still": f"""{WORK}
import ctypes
stand_still = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(lambda clock, at: 0)
ctypes.CDLL(None).clock_gettime = stand_still
import time
time.sleep = lambda seconds: None
def train(w, n):
    return work(n)
""",
    "an answer kept from the run before": f"""{WORK}
kept = {{}}
def train(w, n):
    if n not in kept:
        kept[n] = work(n)
    return kept[n]
""",
    "arguments recognised by their identity": f"""{WORK}
kept = {{}}
def train(w, n):
    if id(w) not in kept:
        kept[id(w)] = work(n), w
    return kept[id(w)][0]
""",
    "work while the module is imported": f"""{WORK}
ahead = {{n: work(n) for n in range(50)}}
def train(w, n):
    return ahead[n] if n in ahead else work(n)
""",
    "work while the arguments are unpacked": f"""{WORK}
import sys
wire, ahead = sys.modules["wire"], {{}}
def see(decode):
    def decoded(value):
        found = decode(value)
        if type(found) is int:
            ahead[found] = work(found)
        return found
    return decoded
target = wire._LEAVES["int"]
wire._LEAVES["int"] = wire.Codec(target.name, target.encode, see(target.decode))
def train(w, n):
    return ahead[n] if n in ahead else work(n)
""",
    "work while the answer is packed": f"""{WORK}
import sys
main = sys.modules["__main__"]
class Later:
    def __init__(self, n):
        self.n = n
def in_a_run():
    frame = sys._getframe(1)
    while frame:
        if frame.f_code.co_name == "_run":
            return True
        frame = frame.f_back
    return False
def settle(encode):
    return lambda value: encode(work(value.n) if type(value) is Later else value)
def train(w, n):
    frame = sys._getframe(1)
    while "target" not in frame.f_locals:
        frame = frame.f_back
    target = frame.f_locals["target"]
    if type(target._returns.encode).__name__ == "function" and not hasattr(target, "settled"):
        codec = target._returns
        target._returns = sys.modules["wire"].Codec(
            codec.name, settle(codec.encode), codec.decode
        )
        target.settled = True
    return Later(n) if in_a_run() else work(n)
""",
    "work between two questions": f"""{WORK}
import sys
main = sys.modules["__main__"]
receive, ahead = main.Channel.receive, {{}}
def waits(self):
    message = receive(self)
    if message[0] == "prepare":
        for row in str(message):
            pass
        for n in numbers(message):
            ahead[n] = work(n)
    return message
def numbers(value):
    if type(value) is int:
        yield value
    elif type(value) is list:
        for inner in value:
            yield from numbers(inner)
main.Channel.receive = waits
def train(w, n):
    return ahead[n] if n in ahead else work(n)
""",
}

FILE_WORK = """
import os
def work(path):
    return [str(sum(i * i for i in range(100_000 + os.path.getsize(path))))]
def told(reader):
    with os.fdopen(reader) as file:
        return [file.read()]
"""

FILE_HONEST = f"""{FILE_WORK}
def read(path):
    return work(path)
"""

FILE_REFERENCE = f"""{FILE_WORK}
def read(path):
    return [work(path) for _ in range(3)][0]
"""

CORPUS = {
    "a process that nobody waits for": f"""{FILE_WORK}
def read(path):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, work(path)[0].encode())
        os._exit(0)
    os.close(writer)
    return told(reader)
""",
    "a process whose parent is gone": f"""{FILE_WORK}
def read(path):
    reader, writer = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.write(writer, work(path)[0].encode())
        os._exit(0)
    os.close(writer)
    os.wait()
    return told(reader)
""",
    "processes that vanish unseen": f"""{FILE_WORK}
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def read(path):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, work(path)[0].encode())
        os._exit(0)
    os.close(writer)
    return told(reader)
""",
    "a helper that was started at import": f"""{FILE_WORK}
ask, asked = os.pipe()
answer, answered = os.pipe()
if os.fork() == 0:
    while True:
        path = os.read(ask, 1000).decode()
        os.write(answered, work(path)[0].encode())
def read(path):
    os.write(asked, path.encode())
    return [os.read(answer, 1000).decode()]
""",
    "a thread that does the work": f"""{FILE_WORK}
import threading
def read(path):
    found = []
    thread = threading.Thread(target=lambda: found.extend(work(path)))
    thread.start()
    thread.join()
    return found
""",
    "threads left running": f"""{FILE_WORK}
import queue
import threading
asked, answered = queue.Queue(), queue.Queue()
def serve():
    while True:
        answered.put(work(asked.get()))
threading.Thread(target=serve, daemon=True).start()
def read(path):
    asked.put(path)
    return answered.get()
""",
}


def short_calls() -> Workload:
    """Many calls of about a millisecond, each with another input."""

    def slot(start: int, size: int) -> list[Call]:
        return [Call("train", ({f"w{k}": k}, 300 + k)) for k in range(start, start + size)]

    return Workload("made", 10**6, slot, lambda size: "calls")


def file_calls() -> Workload:
    """One call on a file, each time with another one."""

    def slot(start: int, size: int) -> list[Call]:
        return [Call("read", (b"x" * (start + 1),))]

    return Workload("made", 10**6, slot, lambda size: "files", repeatable=False)


def ratio(kata: Kata, source: str) -> float | None:
    """The ratio of a submission to the reference, as a report would say it."""
    kata = replace(kata, limits=LIMITS)
    reference, work = (
        (REFERENCE, short_calls()) if kata.name == "train" else (FILE_REFERENCE, file_calls())
    )
    with (
        Host(kata, submission(source), hash_seed=1) as yours,
        Host(kata, submission(reference), hash_seed=1) as theirs,
    ):
        assert (yours.load(), theirs.load()) == (None, None)
        return bench.measure(work, yours, theirs, budget_s=0.4).ratio


@pytest.fixture(scope="module")
def honest() -> dict[str, float]:
    """The ratios of the honest submissions."""
    found = {"train": ratio(KATA, HONEST), "read": ratio(FILE_KATA, FILE_HONEST)}
    assert all(value is not None and 0.1 < value < 1 for value in found.values()), found
    return {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("trick", PURE)
def test_a_trick_does_not_lower_the_time(trick: str, honest: dict[str, float]) -> None:
    """What is hidden from the clock is timed all the same, or nothing is timed at all."""
    found = ratio(KATA, PURE[trick])
    assert found is None or found >= LEAST * honest["train"]


@pytest.mark.parametrize("trick", CORPUS)
def test_work_in_other_processes_is_counted(trick: str, honest: dict[str, float]) -> None:
    """The time of everything a submission starts is its time."""
    found = ratio(FILE_KATA, CORPUS[trick])
    assert found is None or found >= LEAST * honest["read"]
