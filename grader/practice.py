"""What the commands around `run` do: attempts, hints, the solution, reset, what is next."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from grader import catalog, desk, guide, workspace
from grader.errors import UsageError
from grader.journal import Attempt, Event, Journal
from grader.model import Kata, Outcome
from grader.render.attempts import AttemptRow, AttemptsView, DiffView
from grader.render.catalog import StatementView
from grader.render.hints import HintsView, SolutionView
from grader.render.sentence import Sentence
from grader.workspace import Workspace, write_atomically


def home_of(here: Path) -> Workspace:
    """The workspace at `here` or above; raises `UsageError` where there is none."""
    home = workspace.find(here)
    if home is None:
        raise UsageError("There is no katas folder here or above; make one with `kata init DIR`.")
    return home


def attempts(name: str, here: Path) -> AttemptsView:
    """The view of `kata attempts NAME`."""
    kata, home = desk.named(name), home_of(here)
    found = Journal(home.root).attempts(kata.name)
    now = _source(home, kata)
    rows = [_row(attempt, now) for attempt in found]
    steps = (f"kata attempts {kata.name} --diff", f"kata attempts {kata.name} --restore N")
    return AttemptsView(kata.name, rows, steps if found else (f"kata run {kata.name}",))


def differences(name: str, here: Path) -> list[DiffView]:
    """The views of `kata attempts NAME --diff`: each version against the one before it."""
    kata, home = desk.named(name), home_of(here)
    versions = [("the stub", kata.stub)]
    for attempt in Journal(home.root).attempts(kata.name):
        versions.append((f"attempt {attempt.number}", _text(attempt.source())))
    now = _source(home, kata)
    if now is not None and _text(now) != versions[-1][1]:
        versions.append(("the file now", _text(now)))
    pairs = pairwise(versions)
    return [DiffView(old, new, before, after) for (old, before), (new, after) in pairs]


def restore(name: str, number: int, here: Path) -> str:
    """Put a version back in place, keeping what is there; what was done, as a sentence."""
    kata, home = desk.named(name), home_of(here)
    journal = Journal(home.root)
    found = {attempt.number: attempt for attempt in journal.attempts(kata.name)}
    if number not in found:
        known = f"it has {len(found)}" if found else "it has none yet"
        raise UsageError(f"{kata.name} has no attempt {number}; {known}.")
    chosen = found[number]
    source = chosen.source()
    kept = replace_file(home, kata, source)
    _note(journal, "restored", kata, sha256=chosen.sha256, attempt=number)
    return f"{_place(home, kata, here)} is attempt {number} again{kept}."


def hints_seen(events: Iterable[Event]) -> int:
    """How many hints of a kata were taken since it last passed; its events, oldest first."""
    seen = 0
    for event in events:
        if event.kind == "hint":
            seen = max(seen, int(event.data.get("number", 0)))
        elif event.kind == "graded" and event.data.get("outcome") == Outcome.PASS:
            seen = 0
    return seen


def next_hint(name: str, here: Path) -> tuple[int, int]:
    """The number of the hint that comes next, and of how many; the former is larger at the end."""
    kata, home = desk.named(name), home_of(here)
    return hints_seen(Journal(home.root).events(kata.name)) + 1, len(kata.hints)


def hint(name: str, here: Path) -> HintsView:
    """Take the next hint and remember it; when all are taken, all of them again."""
    kata, home = desk.named(name), home_of(here)
    journal = Journal(home.root)
    number = hints_seen(journal.events(kata.name)) + 1
    if number > len(kata.hints):
        return hints_again(name, here)
    _note(journal, "hint", kata, number=number)
    steps = (f"kata run {kata.name}", f"kata hint {kata.name}")
    if number == len(kata.hints):
        steps = (f"kata run {kata.name}", f"kata solution {kata.name} --anyway")
    return HintsView(kata.name, [(number, kata.hints[number - 1])], len(kata.hints), steps)


def hints_again(name: str, here: Path) -> HintsView:
    """The hints that were taken, without a new one."""
    kata, home = desk.named(name), home_of(here)
    seen = hints_seen(Journal(home.root).events(kata.name))
    if not seen:
        raise UsageError(f"You have taken no hint of {kata.name}; `kata hint {kata.name}` does.")
    taken = list(enumerate(kata.hints[:seen], start=1))
    return HintsView(kata.name, taken, len(kata.hints), (f"kata run {kata.name}",))


def solution(name: str, anyway: bool, here: Path) -> SolutionView:
    """The reference beside the learner's version; before a pass only `anyway`, remembered."""
    kata, home = desk.named(name), home_of(here)
    journal = Journal(home.root)
    passed = home.state(kata) == "passed" or any(
        event.kind == "graded" and event.data.get("outcome") == Outcome.PASS
        for event in journal.events(kata.name)
    )
    if not passed and not anyway:
        raise UsageError(
            f"{kata.name} has not passed yet; take `kata hint {kata.name}`, "
            "or look with --anyway, which is remembered."
        )
    _note(journal, "solution", kata, early=not passed)
    source = _source(home, kata)
    yours = None if source in (None, kata.stub.encode()) else _text(source or b"")
    reference = kata.reference.read_text(encoding="utf-8")
    steps = () if passed else (f"kata reset {kata.name}", f"kata run {kata.name}")
    return SolutionView(
        kata.name,
        None if yours is None else without_statement(yours, kata),
        without_statement(reference, kata),
        steps,
    )


def reset(name: str, here: Path) -> str:
    """Put the pristine stub back, keeping what was there; what was done, as a sentence."""
    kata, home = desk.named(name), home_of(here)
    if _source(home, kata) == kata.stub.encode():
        return f"{_place(home, kata, here)} is the stub already."
    kept = replace_file(home, kata, kata.stub.encode())
    _note(Journal(home.root), "reset", kata)
    return f"{_place(home, kata, here)} is the stub again{kept}."


def following(here: Path) -> StatementView | Sentence:
    """The view of `kata next`: the statement of the first kata that has not passed."""
    home = home_of(here)
    kata = home.next_kata(catalog.all_katas())
    if kata is None:
        return Sentence("All katas pass.", ("kata due", "kata progress"))
    return guide.statement(kata.name, here)


def without_statement(source: str, kata: Kata) -> str:
    """A program without the docstring of its function, which both sides share."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    lines = source.splitlines()
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == kata.name and ast.get_docstring(node):
            statement = node.body[0]
            del lines[statement.lineno - 1 : statement.end_lineno]
            break
    return "\n".join(lines)


def _note(journal: Journal, kind: str, kata: Kata, **data: Any) -> None:
    """Remember, or say why not before anything is shown."""
    try:
        journal.add(kind, kata.name, **data)
    except OSError as error:
        raise UsageError(
            f"{journal.folder} cannot be written ({error.strerror or error}); mend that first."
        ) from None


def replace_file(home: Workspace, kata: Kata, source: bytes) -> str:
    """Write the learner's file; what is there now becomes an attempt first.

    Returns the end of a sentence about what was kept. Raises `UsageError` when the old
    file cannot be kept or the new one not be written: then nothing has changed.
    """
    journal, path = Journal(home.root), home.file(kata)
    now = _source(home, kata)
    try:
        kept = now is not None and now not in (source, kata.stub.encode())
        if kept and now is not None:
            journal.keep(kata.name, now)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, source)
    except OSError as error:
        raise UsageError(f"{path} was left as it is ({error.strerror or error}).") from None
    if not kept or now is None:
        return ""
    number = next(a.number for a in journal.attempts(kata.name) if a.source() == now)
    return f"; what was there is attempt {number}"


def _source(home: Workspace, kata: Kata) -> bytes | None:
    try:
        return home.file(kata).read_bytes()
    except OSError:
        return None


def _row(attempt: Attempt, now: bytes | None) -> AttemptRow:
    outcome = Outcome(attempt.outcome) if attempt.outcome in list(Outcome) else None
    return AttemptRow(
        attempt.number,
        attempt.at.astimezone(),
        attempt.sha256,
        outcome,
        attempt.ratio,
        attempt.failed,
        current=now is not None and now == attempt.source(),
    )


def _text(source: bytes) -> str:
    return source.decode("utf-8-sig", "backslashreplace")


def _place(home: Workspace, kata: Kata, here: Path) -> str:
    path = home.file(kata)
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
