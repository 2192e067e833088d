"""The last counterexample in this process: stops where you say, prints straight through."""

from __future__ import annotations

import bdb
import pdb
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

from grader import counterexample, desk, practice, replay
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED
from grader.model import Kata
from grader.render.console import console, show
from grader.render.debug import AnswerView, CallView


def debug(name: str, stop: bool, stdout: TextIO, width: int | None, here: Path) -> int:
    """Run the call and show how it ended; 0 when the answer is right now.

    With `stop` it waits at the first line of the function, unless the file stops itself
    somewhere, and after an exception where it was raised.
    """
    kata, home = desk.named(name), practice.home_of(here)
    found = counterexample.recall(home, kata)
    page = console(stdout, width=width)
    show(page, CallView(kata.name, found.outcome, found.title, found.call, found.note))
    stdout.flush()
    path = home.file(kata)
    try:
        mine = _call(kata, path, found.args, stop)
    except bdb.BdbQuit:
        return EXIT_NOT_PASSED
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        _failed(error, path, stop)
        return EXIT_NOT_PASSED
    right = replay.due(kata, found.args)
    wrong = replay.differences(kata, found.args, mine, right)
    pairs = [_pair(name, mine, right) for name in wrong]
    show(page, AnswerView(repr(mine.value), tuple(pairs), None if wrong else found.note))
    return EXIT_NOT_PASSED if wrong else EXIT_PASSED


def _call(kata: Kata, path: Path, args: tuple[object, ...], stop: bool) -> replay.Outcome:
    function = replay.function_of(kata, path)
    with replay.prepared(kata, args) as given:
        if stop and not replay.stops_itself(path.read_text(encoding="utf-8", errors="replace")):
            value = pdb.Pdb(nosigint=True).runcall(function, *given)
        else:
            value = function(*given)
        return replay.Outcome(value, replay.named(kata, given))


def _failed(error: BaseException, path: Path, stop: bool) -> None:
    """The traceback from the learner's file on, and the debugger where it was raised."""
    shown = _from_file(error.__traceback__, path)
    sys.stdout.flush()
    traceback.print_exception(type(error), error, shown)
    if stop and shown is not None:
        pdb.post_mortem(shown)


def _from_file(found: TracebackType | None, path: Path) -> TracebackType | None:
    whole = found
    while found is not None:
        if Path(found.tb_frame.f_code.co_filename) == path:
            return found
        found = found.tb_next
    return whole


def _pair(name: str, mine: replay.Outcome, right: replay.Outcome) -> tuple[str, str, str]:
    if name == "result":
        return "", repr(mine.value), repr(right.value)
    return name, repr(mine.after[name]), repr(right.after[name])
