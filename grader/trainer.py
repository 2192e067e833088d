"""Train a tokenizer on a text: a submission in the sandbox, our own trainers in a child."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from grader import submission
from grader.catalog import find
from grader.errors import GraderFault
from grader.findings import describe
from grader.model import Call, CallResult, Exhausted, Mistyped, Raised, Returned, Submission
from grader.sandbox.host import Host, hash_seed
from grader.tokenizer import Tokenizer
from grader.train_child import KATA, OWN

#: At the desk nobody is waited for: a file of gigabytes takes what it takes.
NO_DEADLINE_S = 30 * 86400.0
_LAST_LINES = 20


@dataclass(frozen=True, slots=True)
class Order:
    """What to train, on what, with what."""

    path: Path
    vocab_size: int
    special_tokens: tuple[str, ...]
    solution: str  # reference, record, mistake:ID, or the path of a file or a folder
    memory_mib: int | None = None  # of each process of a submission; None: the kata's own limit


@dataclass(frozen=True, slots=True)
class Run:
    """A training that has ended well. Seconds are of all processes together, but for `wall_s`."""

    tokenizer: Tokenizer
    wall_s: float
    cpu_s: float
    peak_mib: float  # of the largest process that was seen
    isolation: str | None  # the level of the sandbox; None where there was none


class Failed(Exception):
    """The submission gave no tokenizer; the sentence says why."""


def load(solution: str) -> Submission | str:
    """The code of a solution, read before anything long begins; our own by their names.

    Raises `UsageError` when there is none, `Failed` for a file that cannot be run.
    """
    if solution in OWN:
        return solution
    try:
        return submission.load(find(KATA), solution)
    except submission.Ungradable as error:
        raise Failed(str(error)) from None


def train(
    order: Order, source: Submission | str, said: Callable[[str], None] = lambda message: None
) -> Run:
    """Train; `said` hears how far it is. Raises `Failed`, or `GraderFault` for our own trainers."""
    if isinstance(source, str):
        return _own(order, source, said)
    return _sandboxed(order, source, said)


def _sandboxed(order: Order, source: Submission, said: Callable[[str], None]) -> Run:
    kata = find(KATA)
    limits = replace(kata.limits, call_s=NO_DEADLINE_S, kata_s=NO_DEADLINE_S)
    if order.memory_mib:
        limits = replace(limits, memory_mib=order.memory_mib)
    seed = hash_seed(secrets.randbelow(10**6), 0)
    with Host(kata, source, hash_seed=seed, limits=limits, reads=[order.path]) as host:
        begin = time.monotonic()
        host.watch = lambda: said(host.busy_with())
        specials = list(order.special_tokens)
        result = host.call(Call(KATA, (order.path, order.vocab_size, specials)))
        wall_s, peak_mib = time.monotonic() - begin, host.peak_mib()
        level = host.isolation.level if host.isolation else None
    if isinstance(result, Mistyped):
        raise Failed(f"It returned {result.got} where {result.expected} is due.")
    if isinstance(result, Exhausted):
        raise Failed(
            f"There is no tokenizer: a process met the limit of {result.mib:,} MiB of memory; "
            "--memory MIB allows more."
        )
    if not isinstance(result, Returned):
        raise Failed(f"There is no tokenizer: {describe(result)}{_place(result)}.")
    vocab, merges = result.value
    return Run(_checked(order, vocab, merges), wall_s, result.cpu_s, peak_mib, level)


def _place(result: CallResult) -> str:
    """Where an exception was raised, as the end of a sentence."""
    if isinstance(result, Raised) and result.line:
        return f", in line {result.line}: {result.text}" if result.text else f", line {result.line}"
    return ""


def _own(order: Order, name: str, said: Callable[[str], None]) -> Run:
    with tempfile.TemporaryDirectory(prefix="kata-train-") as folder:
        output = Path(folder) / "result.json"
        request = {
            "trainer": name,
            "path": str(order.path),
            "vocab_size": order.vocab_size,
            "special_tokens": list(order.special_tokens),
            "output": str(output),
        }
        begin = time.monotonic()
        cpu_s, peak_mib = _ran(request, said)
        wall_s = time.monotonic() - begin
        result = json.loads(output.read_bytes())
    vocab = {number: bytes.fromhex(token) for number, token in result["vocab"]}
    merges = [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in result["merges"]]
    return Run(_checked(order, vocab, merges), wall_s, cpu_s, peak_mib, None)


def _ran(request: dict[str, object], said: Callable[[str], None]) -> tuple[float, float]:
    """Run one of our trainers in a process of its own; its CPU seconds and peak in MiB."""
    root = str(Path(__file__).resolve().parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grader.train_child"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        start_new_session=True,  # Ctrl-C reaches this process, which ends the other
    )
    assert process.stdin is not None
    assert process.stderr is not None
    last: deque[str] = deque(maxlen=_LAST_LINES)
    try:
        with process.stdin as stdin:
            stdin.write(json.dumps(request).encode())
        for line in process.stderr:
            last.append(line.decode("utf-8", "replace").rstrip())
            said(last[-1])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        if process.returncode is None:
            process.wait()
        process.stderr.close()
    if process.returncode:
        told = last[-1] if last else f"exit code {process.returncode}"
        raise GraderFault(f"The trainer {request['trainer']} failed: {told}.")
    peak = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return usage.ru_utime + usage.ru_stime, peak


def _checked(order: Order, vocab: dict[int, bytes], merges: list[tuple[bytes, bytes]]) -> Tokenizer:
    tokenizer = Tokenizer(vocab, merges, order.special_tokens)
    if problem := tokenizer.problem(order.vocab_size):
        raise Failed(f"What came back is no tokenizer: {problem}.")
    return tokenizer
