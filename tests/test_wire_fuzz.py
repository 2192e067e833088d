"""A hostile peer: whatever bytes come back, a call ends with a result and never with an error.

Frames are recorded from real children, spoilt, and sent by a peer that lives in this
process in the child's place. The same examples are drawn each time.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
import resource
import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model import Call, CallResult, Crashed, Kata, Limits, Returned, TimedOut
from grader.sandbox import host as host_module
from grader.sandbox import process as process_module
from grader.sandbox import wire
from grader.sandbox.host import Ended, Host
from grader.sandbox.procfs import Linux
from tests.samples import BUDGET_KATA, FILE_KATA, KATA, submission

NONCE = "0123456789abcdef"
#: A process that cannot exist: it lies beyond the largest number the kernel gives.
NOBODY = (1 << 22) + 1
PATIENT = Limits(import_s=20.0, call_s=20.0, kata_s=60.0, memory_mib=2048)
HASTY = Limits(import_s=0.05, call_s=0.05, kata_s=5.0)
WATCHDOG_S = 30

CALLS: dict[str, tuple[Kata, Call]] = {
    "train": (KATA, Call("train", ({"ab": 2}, 3))),
    "update": (BUDGET_KATA, Call("update", ([["a"], ["b"]], {"k": {0}}, "k"))),
    "read": (FILE_KATA, Call("read", (b"text",))),
}
SOURCES = {
    "train": [
        "def train(w, n): return [('a', 'b'), ('c', 'd')]",
        "def train(w, n): w['z'] = 1; return []",
        "def train(w, n): raise ValueError('no')",
        "def train(w, n): return [['a', 'b']]",
        "def train(w, n): return [0] * 10**12",
    ],
    "update": [
        "def update(words, where, key): words[0].append('x'); where[key] = {5}; return [0]",
        "def update(words, where, key): words[0] = ['new', 'one']; return [0, 1]",
    ],
    "read": ["def read(path): return [open(path).read(), 'b']"],
}
FIXED = settings(
    derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


class Hung(BaseException):
    """A call took longer than any limit allows."""


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    def bark(number: int, frame: FrameType | None) -> None:
        raise Hung

    previous = signal.signal(signal.SIGALRM, bark)
    signal.alarm(WATCHDOG_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


# --- frames of real children ----------------------------------------------------------


@pytest.fixture(scope="module")
def recorded() -> dict[str, list[list[list[Any]]]]:
    """For each kata, the conversations of some submissions, as messages of the child."""
    return {
        name: [conversation(*CALLS[name], source) for source in sources]
        for name, sources in SOURCES.items()
    }


def conversation(kata: Kata, call: Call, source: str) -> list[list[Any]]:
    """What a child sends while a submission is loaded and called once."""
    sent: list[list[Any]] = []

    receive = process_module.Process.receive

    def spy(process: process_module.Process, deadline: float, cap: int) -> list[Any]:
        message = receive(process, deadline, cap)
        sent.append(message)
        return message

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_module.Process, "receive", spy)
        patch.setattr(host_module, "nonce", lambda: NONCE)
        with Host(replace(kata, limits=PATIENT), submission(source), hash_seed=1) as host:
            host.call(call)
    return sent


# --- the peer -------------------------------------------------------------------------


class Peer:
    """What stands where `subprocess.Popen` was: the other end of the channel, in our hands."""

    pid = NOBODY
    returncode = 0

    def __init__(self, *args: Any, pass_fds: tuple[int, ...], **kwargs: Any) -> None:
        self.channel = socket.socket(fileno=os.dup(pass_fds[0]))

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def poll(self) -> int:
        return 0


@contextlib.contextmanager
def peer(kata: Kata, first: list[list[Any]], limits: Limits = HASTY) -> Iterator[tuple[Host, Any]]:
    """A host whose child is us, after it has said these messages."""
    peers: list[Peer] = []

    def popen(*args: Any, **kwargs: Any) -> Peer:
        peers.append(Peer(*args, **kwargs))
        return peers[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_module.subprocess, "Popen", popen)
        patch.setattr(Linux, "cpu_seconds", lambda self, *rest: 0.0)
        patch.setattr(host_module, "nonce", lambda: NONCE)
        with Host(replace(kata, limits=limits), submission("x = 1"), hash_seed=1) as host:
            host.start()
            channel = peers[0].channel
            with channel:
                for message in first:
                    channel.sendall(wire.pack(message))
                yield host, channel


def answer(kata: Kata, call: Call, first: list[list[Any]], data: bytes) -> CallResult:
    """The result of a call that is answered by these bytes and the end of the connection."""
    with peer(kata, first) as (host, channel):
        channel.sendall(data)
        channel.shutdown(socket.SHUT_WR)
        return host.call(call)


def check(kata: Kata, result: CallResult) -> None:
    """A spoilt frame may still be a frame; then it has given a value of the declared type."""
    assert isinstance(result, CallResult)
    if isinstance(result, Returned):
        wire.codec(kata.signature.returns).encode(result.value)
        for parameter, arg in zip(kata.signature.parameters, result.args, strict=True):
            if not parameter.file:
                wire.codec(parameter.type).encode(arg)


# --- spoiling -------------------------------------------------------------------------


def frame(body: bytes) -> bytes:
    return len(body).to_bytes(wire.HEADER, "big") + body


@st.composite
def spoilt_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Flipped bits, cut ends, pieces lost, doubled and put in."""
    spoilt = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(spoilt) - 1, 0)))
        end = min(at + draw(st.integers(1, 12)), len(spoilt))
        how = draw(st.sampled_from(("flip", "cut", "lose", "double", "insert", "again")))
        if how == "flip" and spoilt:
            spoilt[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "cut":
            del spoilt[at:]
        elif how == "lose":
            del spoilt[at:end]
        elif how == "double":
            spoilt[at:at] = spoilt[at:end]
        elif how == "insert":
            spoilt[at:at] = draw(st.binary(min_size=1, max_size=6))
        else:
            spoilt += data
    return bytes(spoilt)


JUNK = st.sampled_from(
    [
        None, True, False, 0, -1, 2**31, 2**59, 2**61 - 1, 2**63, -(2**64), 10**400, "", "a",
        "\ud800", "\x1b[2J", "x" * 5000, NONCE, "value", "word", "memory", "loaded", [], [[]],
        [[], []], [None], [0, 0], [["a"]], [[["a"]]], [[0], [0]], ["a", "b"], [1] * 300,
    ]
)  # fmt: skip


@st.composite
def spoilt_messages(draw: st.DrawFn, message: list[Any]) -> list[Any]:
    """One to three places of a message replaced, lost, doubled, wrapped or swapped."""
    spoilt = json.loads(json.dumps(message))
    for _ in range(draw(st.integers(1, 3))):
        row = spoilt
        while draw(st.booleans()):
            inner = [item for item in row if type(item) is list]
            if not inner:
                break
            row = draw(st.sampled_from(inner))
        at = draw(st.integers(0, max(len(row) - 1, 0)))
        how = draw(st.sampled_from(("replace", "lose", "double", "wrap", "reverse", "append")))
        if how == "append" or not row:
            row.append(copy.deepcopy(draw(JUNK)))
        elif how == "replace":
            row[at] = copy.deepcopy(draw(JUNK))
        elif how == "lose":
            del row[at]
        elif how == "double":
            row.insert(at, row[at])
        elif how == "wrap":
            row[at] = [row[at]]
        else:
            row.reverse()
    return spoilt


@pytest.mark.parametrize("name", CALLS)
@settings(FIXED, max_examples=80)
@given(data=st.data())
def test_spoilt_bytes_are_a_result(
    recorded: dict[str, list[list[list[Any]]]], name: str, data: st.DataObject
) -> None:
    """Bits flipped, bytes lost, frames cut, doubled or run together: still a result."""
    kata, call = CALLS[name]
    ready, loaded, *replies = data.draw(st.sampled_from(recorded[name]))
    whole = b"".join(wire.pack(reply) for reply in replies)
    check(kata, answer(kata, call, [ready, loaded], data.draw(spoilt_bytes(whole))))


@pytest.mark.parametrize("name", CALLS)
@settings(FIXED, max_examples=120)
@given(data=st.data())
def test_spoilt_messages_are_a_result(
    recorded: dict[str, list[list[list[Any]]]], name: str, data: st.DataObject
) -> None:
    """A well-formed frame with the wrong things in it gives a result, of exact types."""
    kata, call = CALLS[name]
    ready, loaded, *replies = data.draw(st.sampled_from(recorded[name]))
    *before, last = replies
    spoilt = wire.pack(data.draw(spoilt_messages(last)))
    whole = b"".join(wire.pack(reply) for reply in before) + spoilt
    check(kata, answer(kata, call, [ready, loaded], whole))


@settings(FIXED, max_examples=80)
@given(data=st.data())
def test_a_spoilt_answer_to_loading_is_a_result(
    recorded: dict[str, list[list[list[Any]]]], data: st.DataObject
) -> None:
    """The same before the first call, while the module is imported."""
    kata, call = CALLS["train"]
    ready, loaded, *_ = data.draw(st.sampled_from(recorded["train"]))
    spoilt = wire.pack(data.draw(spoilt_messages(loaded)))
    check(kata, answer(kata, call, [ready], spoilt))


NO_ANSWERS = {
    "nothing": b"",
    "half a header": b"\0\0",
    "a header alone": b"\0\0\0\x10",
    "half a body": b"\0\0\0\x10[1,2",
    "an empty body": frame(b""),
    "four gigabytes": b"\xff\xff\xff\xff[[[[",
    "an object": frame(b'{"value": 1}'),
    "a verdict": frame(b'["PASS"]'),
    "no array": frame(b"true"),
    "another question's answer": frame(b'["value","fedcba9876543210",[],[null,null]]'),
    "no text": frame(b'["value","\xff\xfe"]'),
    "not a number": frame(b'["value","%s",NaN,[]]' % NONCE.encode()),
    "a fraction": frame(b'["value","%s",0.5,[]]' % NONCE.encode()),
    "deep": frame(b"[" * 60_000 + b"]" * 60_000),
    "deep inside": frame(b'["value","%s",%s]' % (NONCE.encode(), b"[" * 50_000 + b"]" * 50_000)),
    "many digits": frame(b'["value","%s",[%s],[]]' % (NONCE.encode(), b"9" * 100_000)),
    "a pickle": frame(b"\x80\x04K\x01."),
    "nulls": b"\0" * 64,
}


@pytest.mark.parametrize("what", NO_ANSWERS)
def test_what_is_no_answer_is_a_crash(
    recorded: dict[str, list[list[list[Any]]]], what: str
) -> None:
    """Bytes that can be no answer end in CRASH, with a reason in words."""
    kata, call = CALLS["train"]
    ready, loaded, *_ = recorded["train"][0]
    result = answer(kata, call, [ready, loaded], NO_ANSWERS[what])
    assert isinstance(result, Crashed)
    assert result.reason.isprintable()
    assert len(result.reason) < 200


@pytest.mark.parametrize("data", [b"", b"\0\0\0", frame(b"[" + b" " * 100)[:-1]], ids=repr)
def test_half_an_answer_is_a_time_out(
    recorded: dict[str, list[list[list[Any]]]], data: bytes
) -> None:
    """A peer that begins and stays silent is met by the deadline."""
    kata, call = CALLS["train"]
    ready, loaded, *_ = recorded["train"][0]
    with peer(kata, [ready, loaded]) as (host, channel):
        channel.sendall(data)
        assert isinstance(host.call(call), TimedOut)


def test_a_peer_that_is_never_silent_is_a_time_out(
    recorded: dict[str, list[list[list[Any]]]],
) -> None:
    """Questions that keep coming while they are answered do not move the deadline."""
    kata, call = CALLS["update"]
    ready, loaded, *_ = recorded["update"][0]
    question = wire.pack(["word", NONCE, 1])
    with peer(kata, [ready, loaded]) as (host, channel):

        def ask() -> None:
            with contextlib.suppress(OSError):
                while True:
                    channel.sendall(question * 50)
                    channel.recv(1 << 16)

        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        result = host.call(call)
        channel.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert isinstance(result, TimedOut | Crashed)


@settings(FIXED, max_examples=80)
@given(data=st.data())
def test_spoilt_answers_to_timing_end_the_timing(
    recorded: dict[str, list[list[list[Any]]]], data: st.DataObject
) -> None:
    """`prepare`, `run` and `fetch` raise `Ended` with a result, or give what they promise."""
    kata, call = CALLS["train"]
    ready, loaded, value = recorded["train"][0]
    honest = [["done", NONCE], ["done", NONCE], ["values", NONCE, [value[2]]]]
    at = data.draw(st.integers(0, 2))
    honest[at] = data.draw(spoilt_messages(honest[at]))
    with peer(kata, [ready, loaded, *honest]) as (host, channel):
        channel.shutdown(socket.SHUT_WR)
        try:
            host.prepare([call])
            host.run()
            values = host.fetch()
        except Ended as end:
            check(kata, end.result)
        else:
            wire.codec(f"list[{kata.signature.returns}]").encode(values)


@pytest.mark.parametrize("step", ["prepare", "run", "fetch"])
def test_an_answer_to_timing_is_bounded_by_the_question(
    recorded: dict[str, list[list[list[Any]]]], step: str
) -> None:
    """Sixty-three megabytes announced for a question of a few bytes are refused unread."""
    kata, call = CALLS["train"]
    ready, loaded, *_ = recorded["train"][0]
    steps = {"prepare": lambda h: h.prepare([call]), "run": Host.run, "fetch": Host.fetch}
    before = list(steps)[: list(steps).index(step)]
    first = [ready, loaded, *([["done", NONCE]] * len(before))]
    with peer(kata, first, replace(HASTY, kata_s=0.5)) as (host, channel):
        for name in before:
            steps[name](host)
        channel.sendall((63 << 20).to_bytes(wire.HEADER, "big"))
        channel.shutdown(socket.SHUT_WR)
        with pytest.raises(Ended) as ended:
            steps[step](host)
    assert isinstance(ended.value.result, Crashed)
    assert "an answer of" in ended.value.result.reason


def test_fuzzing_takes_little_memory(recorded: dict[str, list[list[list[Any]]]]) -> None:
    """A megabyte of the smallest arrays, the largest an answer may be here, is bearable."""
    kata, call = CALLS["train"]
    ready, loaded, *_ = recorded["train"][0]
    body = b'["value","%s",[%s[]],[null,null]]' % (NONCE.encode(), b"[]," * 340_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with peer(kata, [ready, loaded], PATIENT) as (host, channel):
        thread = threading.Thread(target=lambda: channel.sendall(frame(body)), daemon=True)
        thread.start()
        result = host.call(call)
        thread.join()
    assert isinstance(result, Crashed)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024
