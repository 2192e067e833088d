"""What the commands besides `run` show: the list, a statement, where the learner stands."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from grader import __version__, catalog, workspace
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED, UsageError
from grader.model import Kata
from grader.render.catalog import CheckView, CreatedView, ListView, StatementView, WhereView
from grader.render.console import console, show


def where(here: Path) -> WhereView:
    """The view of `kata` alone."""
    katas = catalog.all_katas()
    home = workspace.find(here)
    if home is None:
        sentence = "There is no katas folder here or above. Make one and start with the first kata."
        return WhereView(__version__, None, len(katas), 0, sentence, ("kata init my-katas",))
    passed = sum(home.state(kata) == "passed" for kata in katas)
    sentence, steps = _standing(home, home.next_kata(katas), here)
    return WhereView(__version__, _seen(home.katas), len(katas), passed, sentence, steps)


def listing(here: Path) -> ListView:
    """The view of `kata list`."""
    katas = catalog.all_katas()
    home = workspace.find(here)
    if home is None:
        return ListView(katas, {}, ("kata show NAME", "kata init DIR"))
    following = home.next_kata(katas)
    steps = (f"kata show {following.name}", f"kata run {following.name}") if following else ()
    return ListView(katas, {kata.name: home.state(kata) for kata in katas}, steps)


def statement(name: str, here: Path) -> StatementView:
    """The view of `kata show NAME`; raises `UnknownKata`."""
    kata = catalog.find(name)
    home = workspace.find(here)
    if home is None:
        return StatementView(kata, None, ("kata init DIR",))
    return StatementView(kata, _relative(home.file(kata), here), (f"kata run {kata.name}",))


def created(folder: Path) -> CreatedView:
    """Make a workspace in `folder`; the view of `kata init DIR`."""
    katas = catalog.all_katas()
    workspace.create(folder, katas)
    first = katas[0].name
    enter = () if folder.resolve() == Path.cwd() else (f"cd {folder}",)
    return CreatedView(str(folder), len(katas), (*enter, f"kata show {first}", f"kata run {first}"))


def checked(names: Sequence[str], stdout: TextIO, width: int | None) -> int:
    """Check katas and show each finding as it comes; the exit code of `kata dev check`."""
    from grader import devcheck

    katas = [catalog.find(name) for name in names] or list(catalog.all_katas())
    page = console(stdout, width=width)
    sound = True
    for kata in katas:
        show(page, f"{kata.name}\n")
        for check in devcheck.check(kata):
            show(page, CheckView(check.subject, check.problem))
            sound = sound and check.problem is None
    return EXIT_PASSED if sound else EXIT_NOT_PASSED


def measured(names: Sequence[str], seeds: int, stdout: TextIO, width: int | None) -> int:
    """Show how much the suites notice; 1 when a mistake or a mutant slips through."""
    from grader import strength
    from grader.render.strength import CaughtView, MutantView, SumView

    katas = [catalog.find(name) for name in names] or list(catalog.all_katas())
    page = console(stdout, width=width)
    sound = True
    for kata in katas:
        show(page, f"{kata.name}\n")
        for caught in strength.mistakes(kata, seeds):
            show(page, CaughtView(caught))
            sound = sound and caught.killed == caught.seeds
        alive = killed = equivalent = 0
        for mutant in strength.mutated(kata):
            killed += bool(mutant.killer)
            equivalent += bool(mutant.reason)
            if not mutant.killer:
                show(page, MutantView(mutant))
                alive += not mutant.reason
        show(page, SumView(killed, alive, equivalent))
        sound = sound and killed >= 0.98 * (killed + alive)
    return EXIT_PASSED if sound else EXIT_NOT_PASSED


def written_pages(pages: Mapping[str, str]) -> list[Path]:
    """Write the pages of the commands into the checkout, and remove those of none."""
    root = catalog.places().checkout
    if root is None:
        raise UsageError("An installation has no docs folder; run this in a checkout.")
    folder = root / "docs" / "commands"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        workspace.write_atomically(folder / name, text.encode())
    return [folder / name for name in pages]


def _standing(
    home: workspace.Workspace, following: Kata | None, here: Path
) -> tuple[str, tuple[str, ...]]:
    if following is None:
        return "All katas pass.", ("kata due", "kata progress")
    path = _relative(home.file(following), here)
    about = f"{following.name} ({following.level}, {following.minutes} min)"
    steps = (f"kata show {following.name}", f"kata run {following.name}")
    match home.state(following):
        case "unwritten":
            return f"Next is {about}: read it, then write it in {path}.", steps
        case "missing":
            return f"Next is {about}, but {path} is missing.", steps[:1]
        case "new" | "changed":
            return f"Next is {about}: {path} has changed since its last run.", steps[1:]
    return f"Next is {about}: it did not pass yet, go on in {path}.", steps[1:]


def _relative(path: Path, here: Path) -> str:
    return str(path.relative_to(here)) if path.is_relative_to(here) else _seen(path)


def _seen(path: Path) -> str:
    """With `~` for the home folder."""
    home = os.path.expanduser("~")
    inside = home not in ("/", "~") and path.is_relative_to(home)
    return os.path.join("~", path.relative_to(home)) if inside else str(path)
