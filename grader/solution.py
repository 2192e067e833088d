"""What a suite calls: the function under test, behind an engine, with a log of its calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, Protocol

from grader.expect import Mismatch, Stopped, StudentRaised
from grader.model import Call, CallResult, Kata, Mistyped, Raised, Refused, Returned


class Engine(Protocol):
    """Whatever runs a student's function."""

    def call(self, call: Call) -> CallResult: ...


@dataclass(slots=True)
class Log:
    """The calls of one case: how many inputs they judged, and the last one with its result.

    `weigh(args)` says how many inputs one call holds, where it is not one.
    """

    inputs: int = 0
    last: tuple[Call, CallResult] | None = None
    weigh: Callable[[tuple[Any, ...]], int] | None = None

    def clear(self, weigh: Callable[[tuple[Any, ...]], int] | None = None) -> None:
        self.inputs, self.last, self.weigh = 0, None, weigh

    def record(self, call: Call, result: CallResult) -> None:
        self.inputs += self.weigh(call.args) if self.weigh else 1
        self.last = (call, result)


class Solution:
    """One function by its name, judged at each call for what every contract says."""

    def __init__(self, kata: Kata, engine: Engine, log: Log) -> None:
        self._kata, self._engine, self._log = kata, engine, log
        self._parameters = kata.signature.parameters
        self._mutates = any(parameter.mutable for parameter in self._parameters)
        self.last: tuple[Call, CallResult] | None = None
        setattr(self, kata.name, self._call)

    def _call(self, *args: Any) -> Any:
        """Call the student's function; return its value, with mutable arguments updated.

        Raises `StudentRaised`, `Stopped`, or `Mismatch` for a value of the wrong type or
        an argument changed against the contract.
        """
        call = Call(self._kata.name, snapshot(args) if self._mutates else args)
        result = self._engine.call(call)
        self.last = (call, result)
        self._log.record(call, result)
        if isinstance(result, Mistyped):
            raise Mismatch(note=_wrong_type(result))
        if isinstance(result, Refused) and result.wrong:
            raise Mismatch(note=result.reason)
        if isinstance(result, Raised):
            raise StudentRaised(result)
        if not isinstance(result, Returned):
            raise Stopped(result)
        for parameter, given, after in zip(self._parameters, args, result.args, strict=True):
            if parameter.mutable:
                _write_back(given, after)
            elif given is not after and given != after:
                raise Mismatch(after, given, f"you changed the argument `{parameter.name}`")
        return result.value


def snapshot(value: Any) -> Any:
    """A copy of plain builtins as deep as they can change; fifty times quicker than deepcopy."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([snapshot(item) if type(item) in _NESTED else item for item in value])
    if kind is dict:
        return {
            key: snapshot(item) if type(item) in _NESTED else item for key, item in value.items()
        }
    return set(value) if kind is set else value


_NESTED = frozenset((list, tuple, dict, set))


def _wrong_type(result: Mistyped) -> str:
    where = (
        f"the value at {result.where} of what you return"
        if result.where
        else "the value you return"
    )
    return f"{where} must be {result.expected}, not {result.got}"


def _write_back(given: Any, after: Any) -> None:
    if isinstance(given, dict):
        given.clear()
        given.update(after)
    else:
        given[:] = after


def call_source(kata: Kata, call: Call) -> str:
    """The call as Python that can be pasted under the student's function."""
    parts, setup = [], ""
    for parameter, arg in zip(kata.signature.parameters, call.args, strict=True):
        if parameter.file:
            path = str(arg) if isinstance(arg, Path) else "corpus.txt"
            setup = "" if isinstance(arg, Path) else f'open("{path}", "wb").write({arg!r})\n'
            parts.append(repr(path))
        else:
            parts.append(repr(arg))
    return f"{setup}{call.function}({', '.join(parts)})"


class InProcess:
    """Calls a function in this process: to measure what the sandbox costs, never to grade."""

    def __init__(self, kata: Kata, function: Callable[..., Any], folder: Path) -> None:
        self._parameters, self._function, self._folder = kata.signature.parameters, function, folder

    def call(self, call: Call) -> CallResult:
        args = [
            self._file(arg) if parameter.file else snapshot(arg)
            for parameter, arg in zip(self._parameters, call.args, strict=True)
        ]
        start = process_time()
        try:
            value = self._function(*args)
        except Exception as error:
            return Raised(type(error).__name__, str(error))
        seconds = process_time() - start
        after = tuple(
            given if parameter.file else arg
            for parameter, given, arg in zip(self._parameters, call.args, args, strict=True)
        )
        return Returned(value, after, seconds)

    def _file(self, content: bytes) -> str:
        path = self._folder / "corpus.txt"
        path.write_bytes(content)
        return str(path)
