"""One submission behind the wire: Call -> CallResult, with deadlines, kill and respawn."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from grader.errors import SandboxError
from grader.model import (
    Call,
    CallResult,
    Crashed,
    Exhausted,
    Isolation,
    Kata,
    Limits,
    Mistyped,
    Parameter,
    Raised,
    Refused,
    Returned,
    Submission,
    TimedOut,
)
from grader.sandbox import affinity, launch, linux, policy, wire
from grader.sandbox.process import DeadlinePassed, Died, Overstepped, Process, Start, nonce
from grader.sandbox.scratch import Scratch

_MIB = 1 << 20
#: Answers are bounded by what was asked: a frame of hostile arrays takes thirty times its
#: size in memory once it is parsed.
_ANSWER_BASE, _ANSWER_FACTOR, _ANSWER_MAX = 1 * _MIB, 16, 64 * _MIB
_SMALL_ANSWER = 64 * 1024  # of a child that says only that it is done, or what it raised
_TEXT = 4000  # characters of a message that are kept; the child cuts, but may lie
_ALLOWED = {
    "pure": "no files, processes or network here",
    "corpus": "its corpus, the working directory and worker processes, and no network",
}
_FINE_STEP_S = 0.0001  # a run that is timed takes some milliseconds
_WATCH_S = 1.0
_START_S = 20.0  # until a child says it is locked; only a very busy machine needs seconds


class Ended(Exception):
    """A timing run ended without an answer."""

    def __init__(self, result: CallResult) -> None:
        super().__init__(str(result))
        self.result = result


class _TooMuchMemory(Exception):
    """The child holds more than its limit, on a system that does not keep it from that."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A parameter with its codec."""

    parameter: Parameter
    codec: wire.Codec


class Host:
    """Runs one submission's function in a child; a dead child is replaced at the next call.

    `until` is a `time.monotonic` value no call may outlast. `watch` is called every second or
    so while a child that has files works. Not thread-safe.
    """

    def __init__(
        self,
        kata: Kata,
        submission: Submission,
        *,
        hash_seed: int = 0,
        limits: Limits | None = None,
        reads: Sequence[Path] = (),
    ) -> None:
        self._kata, self._submission = kata, submission
        self._hash_seed, self._reads = hash_seed, tuple(reads)
        self.limits = limits or kata.limits
        self.until = float("inf")
        self.watch: Callable[[], None] | None = None
        self._next_watch = 0.0
        self.isolation: Isolation | None = None
        self._forms = [
            _Form(parameter, wire.codec(parameter.type)) for parameter in kata.signature.parameters
        ]
        self._returns = wire.codec(kata.signature.returns)
        self._budgeted = any(form.parameter.budget for form in self._forms)
        self._untouched = [None] * len(self._forms)  # what an answer says of unchanged arguments
        self._process: Process | None = None
        self._scratch: Scratch | None = None
        self._fresh = False  # started, not yet known to be loaded
        self._nonce = ""
        self._file_bytes = 0
        self._prepared_bytes = 0

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Spawn a child and hand it the submission, without waiting for it."""
        self._scratch = self._scratch or Scratch()
        scratch = self._scratch
        if policy.supported():
            linux.become_subreaper()
            linux.make_undumpable()
        start = Start(
            policy=lambda uid: self._policy(uid, scratch),
            signature=asdict(self._kata.signature),
            path=self._submission.path,
            hash_seed=self._hash_seed,
            scratch=scratch,
            output_limit=self.limits.output_kib * 1024,
        )
        self._process = launch.spawn(start)
        self._fresh, self._nonce = True, nonce()
        entry = self._submission.entry or self._kata.signature.name
        source = self._submission.source.decode("utf-8-sig")
        with contextlib.suppress(Died, DeadlinePassed):
            self._process.send(["load", self._nonce, source, entry], time.monotonic() + 5)

    def load(self) -> CallResult | None:
        """Wait until the submission is loaded; what went wrong, or None.

        Raises `SandboxError` when the child did not even lock itself.
        """
        if self._process is None:
            self.start()
        if not self._fresh:
            return None
        process = self._ready()
        self._fresh = False
        deadline = min(time.monotonic() + self.limits.import_s, self.until)
        try:
            reply = self._checked(process.receive(deadline, _MIB))
            if reply[0] == "loaded":
                affinity.bring(process.pid)
                process.take_prints()
                return None
            return self._give_up(self._load_problem(reply, process.take_prints()))
        except Exception as error:
            return self._failed(error, TimedOut(self.limits.import_s, "import"))

    def call(self, call: Call) -> CallResult:
        """One call under the limits. Whatever the child does is a result, never an error."""
        problem = self.load()
        if problem is not None:
            return problem
        process = self._process
        assert process is not None
        wired = self._wire(call)
        self._nonce = nonce()
        seconds, what = self._allowance(self.limits.call_s)
        deadline = time.monotonic() + seconds
        corpus = self._kata.policy == "corpus"
        before = process.cpu_seconds(corpus)
        try:
            request = ["call", self._nonce, self._entry(call), wired]
            cap = self._cap(process.send(request, deadline))
            reply, refused = self._conversation(process, call, deadline, cap)
            cpu = process.cpu_seconds(corpus) - before
            process.look(now=corpus)
            prints = process.take_prints()
            if refused:
                return Refused(refused, wrong=True, prints=prints)
            return self._result(call, reply, cpu, prints)
        except Exception as error:
            return self._failed(error, TimedOut(seconds, what))

    # --- timing -----------------------------------------------------------------------

    def prepare(self, calls: Sequence[Call], seconds: float = 30.0) -> None:
        """Send calls ahead and let the child decode their arguments, outside the clock.

        An argument that is one object here is sent once and is one object there.
        """
        problem = self.load()
        if problem is not None:
            raise Ended(problem)
        table: list[list[Any]] = []
        seen: dict[tuple[int, int], int] = {}  # (position, id) of an argument -> its row
        rows = []
        for call in calls:
            row = []
            for position, arg in enumerate(call.args):
                key = position, id(arg)
                if key not in seen:
                    seen[key] = len(table)
                    table.append([position, self._wired(position, arg)])
                row.append(seen[key])
            rows.append(row)
        self._timed(["prepare", table, rows], seconds)

    def _wired(self, position: int, arg: Any) -> Any:
        form = self._forms[position]
        return self._file(arg) if form.parameter.file else form.codec.encode(arg)

    def run(self, repeat: int = 1, seconds: float = 30.0) -> float:
        """CPU seconds the child takes for the prepared calls, by the kernel's account.

        With worker processes at least half of the wall-clock time: what a child makes vanish
        unseen (children nobody waits for) is in no account. While it waits for a busy machine
        it does nothing of the kind, so that time is left out.
        """
        process = self._process
        assert process is not None
        descendants = self._kata.policy == "corpus"
        before, begin = process.cpu_seconds(descendants), time.monotonic()
        waited = process.waited_seconds() if descendants else 0.0
        self._timed(["run", repeat], seconds)
        spent = process.cpu_seconds(descendants) - before
        if not descendants:
            return spent
        idle = time.monotonic() - begin - (process.waited_seconds() - waited)
        return max(spent, idle / 2)

    def fetch(self, seconds: float = 30.0) -> list[Any]:
        """The values of the last run."""
        reply = self._timed(["fetch"], seconds)
        try:
            return [self._returns.decode(value) for value in reply[2]]
        except Exception as error:
            raise Ended(self._failed(error, TimedOut(seconds))) from None

    def cpu_seconds(self) -> float:
        """CPU seconds of the child since it started, by the kernel's account."""
        if self._process is None:
            return 0.0
        return self._process.cpu_seconds(self._kata.policy == "corpus")

    def clock_problem(self) -> str | None:
        """Why the child's runs cannot be timed on this system, if they cannot."""
        step = self._process.clock_step_s if self._process else None
        if step is None:
            return "this system does not tell the CPU time of another process"
        if step > _FINE_STEP_S:
            return f"this system tells CPU time in steps of {1000 * step:.0f} ms only"
        return None

    def peak_mib(self) -> float:
        return self._process.peak_mib() if self._process else 0.0

    def busy_with(self) -> str:
        """How long the child has computed, its memory, and the line it printed last."""
        if self._process is None:
            return "starting"
        facts = f"{self.cpu_seconds():.0f} s of CPU, {self.peak_mib():.0f} MiB"
        printed = self._process.last_line().strip()
        return f"{facts}, {printed}" if printed else facts

    def _timed(self, request: list[Any], seconds: float) -> list[Any]:
        process = self._process
        assert process is not None
        self._nonce = nonce()
        deadline = min(time.monotonic() + seconds, self.until)
        try:
            entry = self._submission.entry or self._kata.signature.name
            asked = process.send([request[0], self._nonce, entry, *request[1:]], deadline)
            if request[0] == "prepare":
                self._prepared_bytes = asked
            cap = self._cap(self._prepared_bytes) if request[0] == "fetch" else _SMALL_ANSWER
            reply = self._checked(process.receive(deadline, cap))
            if reply[0] in ("done", "values"):
                return reply
            problem = self._problem(reply, process.take_prints())
        except Exception as error:
            problem = self._failed(error, TimedOut(seconds))
        raise Ended(problem)

    # --- one conversation -------------------------------------------------------------

    def _conversation(
        self, process: Process, call: Call, deadline: float, cap: int
    ) -> tuple[list[Any], str | None]:
        """Receive the reply, refusing questions for words on the way.

        Also says which word was asked for against the budget, if any was: those within it
        went with the call.
        """
        refused: str | None = None
        while True:
            reply = self._checked(process.receive(deadline, cap))
            if reply[0] != "word":
                return reply, refused
            if self._budget(call) is None or len(reply) != 3:
                raise wire.WireError("a question out of place")
            which = reply[2] if type(reply[2]) is int else "?"
            refused = refused or f"you read word {which}, which `where[pair]` does not list"
            process.send([refused], deadline)

    def _entry(self, call: Call) -> str:
        """The function to call: a known mistake by its own name, a submission by its entry."""
        own = self._submission.entry or self._kata.signature.name
        return own if call.function == self._kata.signature.name else call.function

    def _budget(self, call: Call) -> frozenset[int] | None:
        """The indices of the words a call may touch, where its kata has a budget."""
        if not self._budgeted:
            return None
        for form in self._forms:
            if form.parameter.budget:
                table, _, key = form.parameter.budget.rstrip("]").partition("[")
                named = self._by_name(call)
                return frozenset(named[table].get(named[key], ()))
        return None

    def _by_name(self, call: Call) -> dict[str, Any]:
        return {form.parameter.name: arg for form, arg in zip(self._forms, call.args, strict=True)}

    def _wire(self, call: Call) -> list[Any]:
        """The arguments as they travel: of a list with a budget, only what is within it."""
        return [
            self._within(call, form, arg) if form.parameter.budget else self._wired(position, arg)
            for position, (form, arg) in enumerate(zip(self._forms, call.args, strict=True))
        ]

    def _within(self, call: Call, form: _Form, words: list[Any]) -> list[Any]:
        word = wire.codec(form.parameter.type[len("list[") : -1])
        listed = sorted(self._budget(call) or ())
        return [len(words), [[i, word.encode(words[i])] for i in listed if i < len(words)]]

    def _file(self, content: bytes | Path) -> str:
        """A file the child may read: the bytes in the given folder, or the path itself."""
        if isinstance(content, Path):
            self._file_bytes = content.stat().st_size
            return str(content)
        assert self._scratch is not None
        path = self._scratch.given / "corpus.txt"
        path.write_bytes(content)
        self._file_bytes = len(content)
        return str(path)

    def _cap(self, asked: int) -> int:
        return min(_ANSWER_BASE + _ANSWER_FACTOR * (asked + self._file_bytes), _ANSWER_MAX)

    def _allowance(self, seconds: float) -> tuple[float, str]:
        left = self.until - time.monotonic()
        return (seconds, "call") if seconds <= left else (max(left, 0.0), "kata")

    # --- replies ----------------------------------------------------------------------

    def _checked(self, reply: list[Any]) -> list[Any]:
        if len(reply) < 2 or type(reply[0]) is not str or reply[1] != self._nonce:
            raise wire.WireError("an answer to another question")
        return reply

    def _result(self, call: Call, reply: list[Any], cpu: float, prints: str) -> CallResult:
        if reply[0] != "value":
            return self._problem(reply, prints)
        _, _, wired, wired_after = reply
        value = self._returns.decode(wired)
        if type(wired_after) is not list or len(wired_after) != len(self._forms):
            raise wire.WireError("the arguments are missing")
        if wired_after == self._untouched:
            return Returned(value, call.args, cpu, prints)
        after = []
        for form, arg, changed in zip(self._forms, call.args, wired_after, strict=True):
            if form.parameter.budget:
                words, refused = self._words(call, form, arg, changed)
                if refused:
                    return Refused(refused, wrong=True, prints=prints)
                after.append(words)
            elif changed is None or form.parameter.file:
                after.append(arg)
            else:
                (now,) = changed
                after.append(form.codec.decode(now))
        return Returned(value, tuple(after), cpu, prints)

    def _words(
        self, call: Call, form: _Form, words: list[Any], rows: Any
    ) -> tuple[list[Any], str | None]:
        budget = self._budget(call)
        assert budget is not None
        word = wire.codec(form.parameter.type[len("list[") : -1])
        after = list(words)
        for i, symbols in rows:
            if type(i) is not int or i not in budget:
                return after, f"you assigned word {i}, which `where[pair]` does not list"
            after[i] = word.decode(symbols)
        return after, None

    def _problem(self, reply: list[Any], prints: str) -> CallResult:
        match reply:
            case ["raised", _, str(kind), str(message), line]:
                number = line if type(line) is int else None
                kind, message = kind[:_TEXT], message[:_TEXT]
                if kind == "PermissionError":
                    message += f" (the sandbox allows {_ALLOWED[self._kata.policy]})"
                return Raised(kind, message, number, self._line(number), prints)
            case ["type", _, str(where), str(expected), str(got), str() | None as shown]:
                return Mistyped(
                    where[:_TEXT], expected[:_TEXT], got[:_TEXT], shown and shown[:_TEXT], prints
                )
            case ["memory", _]:
                return self._give_up(Exhausted(int(self.limits.memory_mib), prints))
        raise wire.WireError("an answer of no known kind")

    def _load_problem(self, reply: list[Any], prints: str) -> CallResult:
        name = self._submission.entry or self._kata.signature.name
        match reply:
            case ["absent", _, _]:
                return Raised("NameError", f"the file defines no function {name!r}", prints=prints)
            case ["uncallable", _, str(kind)]:
                message = f"{name!r} is of type {kind}, not a function"
                return Raised("TypeError", message, prints=prints)
        return self._problem(reply, prints)

    def _line(self, number: int | None) -> str | None:
        lines = self._submission.source.decode("utf-8-sig").splitlines()
        return lines[number - 1].strip() if number and 0 < number <= len(lines) else None

    # --- failure ----------------------------------------------------------------------

    def _failed(self, error: Exception, timed_out: TimedOut) -> CallResult:
        """What a broken conversation means. Anything a decoder raises is theirs."""
        process = self._process
        assert process is not None
        if isinstance(error, DeadlinePassed):
            return self._give_up(replace(timed_out, prints=process.take_prints()))
        if isinstance(error, Died):
            reason, forbidden = process.how_it_died()
            prints = process.take_prints()
            return self._give_up(
                Refused(reason, prints=prints) if forbidden else Crashed(reason, prints)
            )
        if isinstance(error, _TooMuchMemory):
            return self._give_up(Exhausted(int(self.limits.memory_mib), process.take_prints()))
        if isinstance(error, Overstepped):
            return self._give_up(Refused(str(error), prints=process.take_prints()))
        detail = f": {error}" if isinstance(error, wire.WireError) else ""
        return self._give_up(
            Crashed(f"the process sent what is no answer{detail}", process.take_prints())
        )

    def _give_up(self, result: CallResult) -> CallResult:
        """Kill the child; the next call starts another."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        return result

    def _ready(self) -> Process:
        process = self._process
        assert process is not None
        try:
            _, could, notes = process.receive(time.monotonic() + _START_S, _MIB)
        except (Died, DeadlinePassed, wire.WireError, ValueError):
            said = process.take_prints().strip().splitlines()
            self._give_up(Crashed("start"))
            detail = said[-1] if said else "it said nothing"
            raise SandboxError(f"The sandboxed child did not start: {detail}.") from None
        if self._kata.policy == "corpus" or not process.bounds_memory:
            process.watch(self._look)
        notes = [*process.notes, *notes]
        if process.clock_step_s is None:
            notes.append("without the CPU time of a child nothing is timed and no growth is judged")
        self.isolation = policy.grade(self._kata.policy, dict(could), notes)
        return process

    def _policy(self, uid: int, scratch: Scratch) -> dict[str, Any]:
        if self._kata.policy == "pure":
            return policy.pure(self.limits, uid)
        return policy.corpus(self.limits, uid, [scratch.given, *self._reads], scratch.work)

    def _look(self) -> str | None:
        """Why a child must end now, if it must. Raises `_TooMuchMemory`."""
        assert self._process is not None
        assert self._scratch is not None
        if not self._process.bounds_memory and self._process.peak_mib() > self.limits.memory_mib:
            raise _TooMuchMemory
        if self._kata.policy == "pure":
            return None
        if self.watch and time.monotonic() >= self._next_watch:
            self._next_watch = time.monotonic() + _WATCH_S
            self.watch()
        if sum(self._process.group().values()) > policy.MAX_PROCESSES:
            return f"more than {policy.MAX_PROCESSES} processes and threads were started"
        if self._scratch.size() > self.limits.scratch_mib * _MIB:
            return f"more than {self.limits.scratch_mib} MiB were written"
        return None

    def end_case(self) -> None:
        """Between two cases: a child that has left processes behind does not see the next."""
        if self._process and self._kata.policy == "corpus" and len(self._process.group()) > 1:
            self._give_up(Crashed("left processes behind"))

    def close(self) -> None:
        """End the child and remove its folders; safe to repeat."""
        self._give_up(Crashed("closed"))
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = None


def hash_seed(seed: int, number: int) -> int:
    """PYTHONHASHSEED of child `number`: derived from the seed, and never 0 (no hashing)."""
    digest = hashlib.sha256(f"{seed} hash {number}".encode()).digest()
    return 1 + int.from_bytes(digest[:4], "big") % (2**32 - 2)
