"""The last failing call of a kata, kept as data: for debugging, repeating and tracing."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.model import Call, Kata, Outcome, Report, Tier, Verdict
from grader.workspace import Workspace, write_atomically

FORMAT = "kata-counterexample/1"


@dataclass(frozen=True, slots=True)
class Found:
    """A failing call, read back. `args` are fresh plain values; a file is its bytes."""

    title: str  # the law it breaks
    case: str  # the id of the case
    outcome: str
    call: str  # a statement that can be pasted
    args: tuple[Any, ...]
    note: str | None
    seed: int


def first_failing(report: Report) -> Verdict | None:
    """The case a report shows: the first that fails and counts."""
    failed = (v for v in report.verdicts if v.outcome not in (Outcome.PASS, None))
    return next((v for v in failed if v.tier is not Tier.STRETCH), None)


def remember(home: Workspace, report: Report) -> None:
    """Keep the failing call of a report; one that has none leaves the last one alone."""
    verdict = first_failing(report)
    if verdict is None or verdict.counterexample is None:
        return
    found = verdict.counterexample
    data = {
        "format": FORMAT,
        "kata": report.kata.name,
        "case": verdict.id,
        "title": verdict.title,
        "outcome": str(verdict.outcome),
        "seed": report.seed,
        "sha256": report.submission.sha256,
        "call": found.call,
        "yours": found.yours,
        "expected": found.expected,
        "note": found.note,
    }
    path = _path(home, report.kata.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())


def recall(home: Workspace, kata: Kata) -> Found:
    """The last failing call; raises `UsageError` when there is none that can be read."""
    path = _path(home, kata.name)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(
            f"{kata.name} has no counterexample yet; `kata run {kata.name}` finds one."
        ) from None
    except (OSError, ValueError):
        raise _unreadable(path, kata) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _unreadable(path, kata)
    try:
        return Found(
            title=str(data["title"]),
            case=str(data["case"]),
            outcome=str(data["outcome"]),
            call=str(data["call"]),
            args=arguments(str(data["call"])),
            note=data.get("note"),
            seed=int(data["seed"]),
        )
    except (LookupError, ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise _unreadable(path, kata) from None


def last_case(home: Workspace, kata: Kata) -> str | None:
    """The id of the case that failed last, if one did."""
    try:
        return recall(home, kata).case
    except UsageError:
        return None


def arguments(source: str) -> tuple[Any, ...]:
    """The arguments of a call written by `call_source`; a file's path becomes its content."""
    *setup, statement = ast.parse(source).body
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        raise ValueError("not a call")
    args = [ast.literal_eval(arg) for arg in statement.value.args]
    for node in setup:
        path, content = _written(node)
        args = [content if arg == path else arg for arg in args]
    return tuple(args)


def call(kata: Kata, found: Found) -> Call:
    """The call as an engine takes it."""
    return Call(kata.name, found.args)


def _written(node: ast.stmt) -> tuple[str, bytes]:
    """Path and content of `open("path", "wb").write(b"…")`."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Call(args=[path, *_])), args=[content])):
            return ast.literal_eval(path), ast.literal_eval(content)
    raise ValueError("not a file")


def _path(home: Workspace, name: str) -> Path:
    return home.root / ".kata" / "counterexamples" / f"{name}.json"


def _unreadable(path: Path, kata: Kata) -> UsageError:
    return UsageError(
        f"{path} cannot be read by this version; `kata run {kata.name}` writes a new one."
    )
