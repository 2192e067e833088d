"""Repeat a failing call in this process and compare with the reference: no sandbox, no clock."""

from __future__ import annotations

import ast
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import catalog
from grader.errors import UsageError
from grader.model import Kata
from grader.solution import snapshot


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call left behind: the value, and the arguments afterwards by their names."""

    value: Any
    after: dict[str, Any]


def due(kata: Kata, args: Sequence[Any]) -> Outcome:
    """What the reference answers."""
    with prepared(kata, args) as given:
        value = getattr(catalog.reference_module(kata), kata.name)(*given)
        return Outcome(value, named(kata, given))


@contextmanager
def prepared(kata: Kata, args: Sequence[Any]) -> Iterator[list[Any]]:
    """Fresh arguments; bytes for a file become the path of one that lives as long as this."""
    with tempfile.TemporaryDirectory(prefix="kata-") as folder:
        given = []
        for parameter, arg in zip(kata.signature.parameters, args, strict=True):
            if parameter.file:
                path = Path(folder) / "corpus.txt"
                path.write_bytes(arg)
                given.append(str(path))
            else:
                given.append(snapshot(arg))
        yield given


def named(kata: Kata, args: Sequence[Any]) -> dict[str, Any]:
    """Arguments by the names of their parameters."""
    return {p.name: arg for p, arg in zip(kata.signature.parameters, args, strict=True)}


def changing(kata: Kata) -> tuple[str, ...]:
    """The parameters the contract changes in one right way.

    An index (`where` of a budget `where[pair]`) may keep stale entries, so it is none.
    """
    indices = {p.budget.partition("[")[0] for p in kata.signature.parameters if p.budget}
    return tuple(p.name for p in kata.signature.parameters if p.mutable and p.name not in indices)


def differences(kata: Kata, args: Sequence[Any], mine: Outcome, right: Outcome) -> list[str]:
    """What is not as it should be: `result`, or the names of parameters."""
    wrong = [] if mine.value == right.value else ["result"]
    files = {p.name for p in kata.signature.parameters if p.file}
    mutable = {p.name for p in kata.signature.parameters if p.mutable}
    for name, before in named(kata, args).items():
        if name in changing(kata) and mine.after[name] != right.after[name]:
            wrong.append(name)
        if name not in files | mutable and mine.after[name] != before:
            wrong.append(name)
    return wrong


def function_of(kata: Kata, path: Path) -> Callable[..., Any]:
    """The learner's function, loaded from its file into this process.

    Whatever the module raises goes through. Raises `UsageError` when it has no such function.
    """
    name = f"_learner_{kata.name}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UsageError(f"There is no file {path}; `kata reset {kata.name}` makes a fresh one.")
    module = importlib.util.module_from_spec(spec)
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = keep
    function: Callable[..., Any] | None = getattr(module, kata.name, None)
    if not callable(function):
        raise UsageError(f"{path} has no function {kata.name!r}; `kata run {kata.name}` says more.")
    return function


def stops_itself(source: str) -> bool:
    """Whether a program calls `breakpoint()` or `set_trace()` somewhere."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(
        (isinstance(f, ast.Name) and f.id in ("breakpoint", "set_trace"))
        or (isinstance(f, ast.Attribute) and f.attr == "set_trace")
        for f in calls
    )
