"""The last counterexample as two small files: a script to run, and a test for pytest."""

from __future__ import annotations

import os
import pprint
from pathlib import Path
from typing import Any

from grader import counterexample, desk, practice, replay
from grader.counterexample import Found
from grader.errors import UsageError
from grader.model import Kata
from grader.workspace import write_atomically

_MOST = 1000  # numbered files of one kata


def write(name: str, folder: Path | None, here: Path) -> tuple[Path, Path]:
    """Write script and test into `folder` (`repro/` of the workspace); what exists stays."""
    kata, home = desk.named(name), practice.home_of(here)
    found = counterexample.recall(home, kata)
    target = folder if folder is not None else home.root / "repro"
    katas = os.path.relpath(home.katas.resolve(), target.resolve())
    texts = (script(kata, found, katas), test(kata, found, katas))
    try:
        target.mkdir(parents=True, exist_ok=True)
        paths = _free(target, kata.name, texts)
        for path, text in zip(paths, texts, strict=True):
            write_atomically(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{target} cannot be written ({error.strerror or error}).") from None
    return paths


def script(kata: Kata, found: Found, katas: str) -> str:
    """A program that makes the call and prints yours beside what was due."""
    right = replay.due(kata, found.args)
    shown = [("yours", "result"), ("expected", _literal(right.value))]
    lines = [f'print("{label:<8}", {what})' for label, what in shown]
    for name in replay.changing(kata):
        lines.append(f'print("{name}, yours   ", {name})')
        lines.append(f'print("{name}, expected", {_literal(right.after[name])})')
    body = [*_assignments(kata, found), "", f"result = {_call(kata)}", *lines]
    return "\n".join([_head(kata, found, katas), *body]) + "\n"


def test(kata: Kata, found: Found, katas: str) -> str:
    """A test that passes once the call is answered right."""
    right = replay.due(kata, found.args)
    checks = [f"assert result == {_literal(right.value)}"]
    for name, value in replay.named(kata, found.args).items():
        if name in replay.changing(kata):
            checks.append(f"assert {name} == {_literal(right.after[name])}")
        elif f"`{name}`" in (found.note or ""):
            checks.append(f"assert {name} == {_literal(value)}  # it is not yours to change")
    body = [*_assignments(kata, found), f"result = {_call(kata)}", *checks]
    title = f'"""{_quoted(found.title)}"""'
    lines = [f"    {line}" if line else "" for line in "\n".join([title, *body]).splitlines()]
    return "\n".join([_head(kata, found, katas), "", f"def test_{_name(found)}():", *lines]) + "\n"


def _head(kata: Kata, found: Found, katas: str) -> str:
    files = "import tempfile\n" if any(p.file for p in kata.signature.parameters) else ""
    note = f"\n{_quoted(found.note)}\n" if found.note else ""
    return (
        f'"""{kata.name}: a counterexample, written by `kata repro {kata.name}`.\n\n'
        f'{found.outcome}: {_quoted(found.title)}\n{note}"""\n\n'
        f"import sys\n{files}from pathlib import Path\n\n"
        f"sys.path.insert(0, str(Path(__file__).resolve().parent / {katas!r}))\n\n"
        f"from {kata.name} import {kata.name}\n"
    )


def _assignments(kata: Kata, found: Found) -> list[str]:
    lines = []
    for parameter, arg in zip(kata.signature.parameters, found.args, strict=True):
        if parameter.file:
            lines.append(f'{parameter.name} = str(Path(tempfile.mkdtemp()) / "corpus.txt")')
            lines.append(f"Path({parameter.name}).write_bytes({_literal(arg)})")
        else:
            lines.append(f"{parameter.name} = {_literal(arg)}")
    return lines


def _call(kata: Kata) -> str:
    return f"{kata.name}({', '.join(p.name for p in kata.signature.parameters)})"


def _literal(value: Any) -> str:
    """A literal in lines of moderate length; strings stay whole."""
    if isinstance(value, str | bytes):
        return repr(value)
    if isinstance(value, tuple) and any(_has_bytes(item) for item in value):
        return f"({', '.join(map(_literal, value))})"
    if _has_bytes(value):  # a vocabulary: its first 256 entries say nothing
        rest = {key: token for key, token in value.items() if key not in range(256)}
        return f"{{i: bytes([i]) for i in range(256)}} | {_literal(rest)}"
    return pprint.pformat(value, width=80, compact=True, sort_dicts=False)


def _has_bytes(value: Any) -> bool:
    """Whether it is a dict that begins with the 256 bytes by their numbers."""
    return isinstance(value, dict) and all(value.get(i) == bytes([i]) for i in range(256))


def _quoted(text: str | None) -> str:
    """Text that is safe inside a docstring."""
    plain = " ".join((text or "").split())
    return plain.replace("\\", "\\\\").replace('"', "'")


def _name(found: Found) -> str:
    case = found.case.partition("[")[0]  # without the number of an example
    return "".join(char if char.isalnum() and char.isascii() else "_" for char in case)


def _free(folder: Path, name: str, texts: tuple[str, str]) -> tuple[Path, Path]:
    """The first pair of names that is free, or that holds just these texts."""
    for number in range(1, _MOST + 1):
        stem = name if number == 1 else f"{name}_{number}"
        paths = folder / f"{stem}.py", folder / f"test_{stem}.py"
        if all(_may_write(path, text) for path, text in zip(paths, texts, strict=True)):
            return paths
    raise UsageError(f"{folder} holds {_MOST} counterexamples; delete some.")


def _may_write(path: Path, text: str) -> bool:
    return not os.path.lexists(path) or (
        path.is_file() and path.read_bytes() == text.encode("utf-8", "backslashreplace")
    )
