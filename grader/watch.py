"""`kata watch`: run again on each save, with single keys for everything around it."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from grader import catalog, counterexample, desk, guide, practice, submission
from grader.errors import EXIT_INTERRUPTED, EXIT_PASSED, UsageError
from grader.interview import guard
from grader.model import Isolation, Kata, Outcome, Report, Submission, Tier, Verdict
from grader.render.console import console, show
from grader.render.report import UNUSED, ReportView
from grader.render.sentence import Sentence
from grader.render.watch import Footer
from grader.standby import Done, Failed, Job, Judged, News, Phase, Standby
from grader.terminal import Keys
from grader.watcher import Watcher, needs_polling
from grader.workspace import Workspace

_CLEAR = "\x1b[H\x1b[2J"
_REWRITE = "\r\x1b[2K"
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata watch`, parsed."""

    name: str | None = None
    poll: bool = False
    manual: bool = False
    width: int | None = None


class Quit(Exception):
    """The session is over, with that exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def watch(request: Request, stdin: TextIO, stdout: TextIO, here: Path) -> int:
    """Watch until the learner leaves; the exit code."""
    home = practice.home_of(here)
    kata = desk.named(request.name) if request.name else home.next_kata(catalog.all_katas())
    if kata is None:
        show(console(stdout, width=request.width), Sentence("All katas pass.", ("kata due",)))
        return EXIT_PASSED
    if not hasattr(os, "fork"):
        raise UsageError("This system cannot fork, which `kata watch` needs; use `kata run`.")
    keys = Keys(stdin.fileno()) if stdin.isatty() else None
    if keys is None and request.manual:
        raise UsageError("--manual needs a terminal to read keys from.")
    with ExitStack() as stack:
        standby = Standby(keys.mend if keys else lambda: None)  # before any thread
        stack.callback(standby.close)
        if keys:
            stack.enter_context(keys.raw())
        session = Session(home, kata, here, standby, keys, Screen(stdout, request.width))
        return _loop(session, request, stack)


def _loop(session: Session, request: Request, stack: ExitStack) -> int:
    signals = stack.enter_context(_signals())
    selector = stack.enter_context(selectors.DefaultSelector())
    selector.register(signals, selectors.EVENT_READ, session.signalled)
    if session.keys:
        selector.register(session.keys.handle, selectors.EVENT_READ, lambda _: session.typed())
    if not request.manual:
        folder = session.home.katas
        watcher = Watcher(folder, poll=request.poll or needs_polling(folder))
        stack.callback(watcher.close)
        selector.register(watcher.handle, selectors.EVENT_READ, lambda _: session.saved(watcher))
    session.start()
    try:
        while True:
            with _listening(selector, session):
                for key, _ in selector.select():
                    key.data(key.fileobj)
    except Quit as quit_:
        session.screen.leave()
        return quit_.code


@contextmanager
def _listening(selector: selectors.BaseSelector, session: Session) -> Iterator[None]:
    """Hear the news of the job that runs now, for one turn of the loop."""
    news = session.standby.news
    if news is None:
        yield
        return
    handle = news.fileno()  # known to the selector even after it was closed
    selector.register(handle, selectors.EVENT_READ, lambda _: session.heard(news))
    try:
        yield
    finally:
        selector.unregister(handle)


@contextmanager
def _signals() -> Iterator[socket.socket]:
    """A socket that gives the numbers of the signals that arrive."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)

    def nothing(number: int, frame: FrameType | None) -> None:
        pass

    wanted = (*_ENDING, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)
    before = {number: signal.signal(number, nothing) for number in wanted}
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    try:
        yield ours
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        ours.close()
        theirs.close()


class Screen:
    """What is shown: a body, and under it a line that is written over."""

    def __init__(self, file: TextIO, width: int | None) -> None:
        self._page = console(file, width=width)
        self._file = file
        self.is_terminal = file.isatty()
        self._body: Sequence[Any] = ()

    def body(self, *views: Any) -> None:
        """Show this instead of what was there; in a pipe, below it."""
        self._body = views
        if self.is_terminal:
            self.again()
            return
        for view in views:
            show(self._page, view)
        self._file.flush()

    def again(self) -> None:
        """Show the same once more, at the width there is now."""
        if not self.is_terminal:
            return
        self._file.write(_CLEAR)
        for view in self._body:
            show(self._page, view)
        show(self._page, "\n")
        self._file.flush()

    def footer(self, footer: Footer) -> None:
        if self.is_terminal:
            self._file.write(_REWRITE)
            show(self._page, footer)
            self._file.flush()

    def leave(self) -> None:
        """Leave the cursor on a line of its own; the terminal may be gone already."""
        if self.is_terminal:
            with suppress(OSError):
                self._file.write(_REWRITE)
                self._file.flush()


@dataclass(slots=True)
class Session:
    """One learner at one kata at a time."""

    home: Workspace
    kata: Kata
    here: Path
    standby: Standby
    keys: Keys | None
    screen: Screen
    judged: str | None = None  # hash of the source that was judged last
    failing: str | None = None  # the case that failed last
    verdicts: list[Verdict] = field(default_factory=list)
    question: tuple[str, Callable[[], None]] | None = None
    status: str | None = None
    away: bool = False  # another program's output is on the screen

    # --- what happens -----------------------------------------------------------------

    def start(self) -> None:
        """Begin with a kata: run what is there."""
        passed = self.home.state(self.kata) == "passed"
        self.failing = None if passed else counterexample.last_case(self.home, self.kata)
        self.judged = None
        self.screen.body(Sentence(f"{self.kata.name} in {self._path()}"))
        self.run(retry=True)

    def saved(self, watcher: Watcher) -> None:
        """Something in the folder changed: run if it is our file, and not the same text."""
        watcher.clear()
        if watcher.problem:
            self.status = f"not watching ({watcher.problem}); r runs"
            self._footer()
            return
        digest = self._digest()
        if digest is not None and digest != self.judged:
            self.run(retry=True)

    def run(self, *, retry: bool = False) -> None:
        """Judge the file as it is now, ending what runs."""
        self._give_way()
        self.judged = self._digest()
        self.away = False
        self.verdicts = []
        self.question = None
        self.status = "running"
        first = self.failing if retry else None
        self.standby.run(Job(self.kata.name, self.home.root, self._path(), first))
        self._footer()

    def heard(self, source: Connection) -> None:
        """News of a job; of one that was ended meanwhile nothing is heard."""
        if source is not self.standby.news:
            return
        try:
            news: News = source.recv()
        except (EOFError, OSError):
            self.standby.forget()
            self._show(Sentence("The judge has died; r runs again."))
            return
        match news:
            case Judged(verdict):
                self._one_more(verdict)
            case Phase(name):
                self.status = name
                self._show_partial()
            case Done(report, note):
                self._done(report, note)
            case Failed(sentence):
                self.standby.forget()
                self.status = None
                self._show(Sentence(sentence))

    def typed(self) -> None:
        """A key."""
        assert self.keys is not None
        typed = self.keys.read()
        if typed is None:
            raise Quit(EXIT_PASSED)  # the terminal has gone
        for key in typed if not typed.startswith("\x1b") else "":
            self.press(key)

    def press(self, key: str) -> None:
        """Do what a key stands for; while something is asked, only y says yes."""
        self._give_way()
        if self.away:
            self.away, self.status = False, None
            self.screen.again()
            self._footer()
            return
        if self.question is not None:
            agreed = self.question[1]
            self.question = None
            if key in "yY":
                agreed()
            else:
                self._footer()
            return
        action = _ACTIONS.get(key.lower())
        if key == "\x04":
            raise Quit(EXIT_PASSED)
        if action is not None:
            try:
                action(self)
            except UsageError as error:
                self._show(Sentence(str(error)))

    def signalled(self, signals: socket.socket) -> None:
        """The signals that arrived."""
        for number in signals.recv(64):
            if number in _ENDING:
                raise Quit(EXIT_INTERRUPTED if number == signal.SIGINT else 128 + number)
            if number == signal.SIGTSTP:
                self._suspend()
            elif number in (signal.SIGWINCH, signal.SIGCONT):
                self.screen.again()
                self._footer()

    # --- what keys do -----------------------------------------------------------------

    def ask_hint(self) -> None:
        number, total = practice.next_hint(self.kata.name, self.here)
        if number > total:
            self.show_hint()
        else:
            self._ask(f"Show hint {number} of {total}?", self.show_hint)

    def show_hint(self) -> None:
        view = practice.hint(self.kata.name, self.here)
        self._show(type(view)(view.name, view.hints, view.total))

    def next(self) -> None:
        """Go to the next kata that has not passed, behind this one or from the beginning."""
        katas = catalog.all_katas()
        at = katas.index(self.kata)
        following = self.home.next_kata((*katas[at + 1 :], *katas[:at]))
        if following is None:
            self._show(Sentence("There is no other kata to do."))
            return
        self.kata = following
        self.start()

    def list(self) -> None:
        view = guide.listing(self.here)
        self._show(type(view)(view.katas, view.states))

    def ask_reset(self) -> None:
        self._ask(f"Replace your {self.kata.name} by the stub (it is kept)?", self.reset)

    def reset(self) -> None:
        said = practice.reset(self.kata.name, self.here)
        self.judged = self._digest()
        self.standby.stop()
        self.status = None
        self._show(Sentence(said))

    def debug(self) -> None:
        """Hand the terminal to `kata debug`, and take it back."""
        counterexample.recall(self.home, self.kata)
        self._outside([sys.executable, "-P", "-m", "grader", "debug", self.kata.name])

    def quit(self) -> None:
        raise Quit(EXIT_PASSED)

    # --- inside -----------------------------------------------------------------------

    def _give_way(self) -> None:
        """Leave when an interview about this kata was begun in another terminal."""
        try:
            guard.refuse("watch", self.kata.name, self.home.root)
        except UsageError as error:
            self.screen.body(Sentence(str(error)))
            raise Quit(error.exit_code) from None

    def _ask(self, question: str, action: Callable[[], None]) -> None:
        self.question = (question, action)
        self._footer()

    def _one_more(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        failed = [v for v in self.verdicts if v.outcome not in (Outcome.PASS, None)]
        counts = verdict.tier is not Tier.STRETCH and verdict.outcome is not None
        if verdict in failed and len(failed) == 1 and counts:
            self._show_partial()

    def _show_partial(self) -> None:
        """What is known before the run is over; a pipe gets what is known in the end."""
        if not self.screen.is_terminal:
            return
        scored = [v.outcome for v in self.verdicts if v.tier is not Tier.STRETCH]
        outcome = next((o for o in scored if o not in (Outcome.PASS, None)), None) or Outcome.PASS
        source = Submission(self._path(), b"", "")
        unused = Isolation(UNUSED, self.kata.policy)
        report = Report(self.kata, source, outcome, tuple(self.verdicts), 0, unused, {})
        self._show(ReportView(report))

    def _done(self, report: Report, note: str | None) -> None:
        self.standby.forget()
        failing = counterexample.first_failing(report)
        self.failing = failing.id if failing else None
        waiting = sum(v.outcome is None and v.tier is not Tier.STRETCH for v in report.verdicts)
        self.status = None
        views: list[Any] = [ReportView(report)]
        if failing and waiting and failing.outcome is not Outcome.TIMEOUT:
            views += ["\n", Sentence("  The case that failed last still fails; r runs them all.")]
        if note:
            views += ["\n", Sentence(f"  {note}")]
        self._show(*views)

    def _show(self, *views: Any) -> None:
        self.screen.body(*views)
        self._footer()

    def _footer(self) -> None:
        question = self.question[0] if self.question else None
        self.screen.footer(Footer(question, self.status))

    def _suspend(self) -> None:
        """Ctrl-Z: leave the terminal as it was while we are stopped."""
        if self.keys:
            self.keys.give_back()
        self.screen.leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        if self.keys:
            self.keys.take()

    def _outside(self, command: Sequence[str]) -> None:
        """Run another program on the terminal."""
        assert self.keys is not None
        self.standby.stop()
        self.keys.give_back()
        self.screen.leave()
        ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
        path = os.pathsep.join(filter(None, (str(_root()), os.environ.get("PYTHONPATH"))))
        try:
            subprocess.run(
                command,
                check=False,
                cwd=self.here,
                env={**os.environ, "PYTHONPATH": path},
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
        finally:
            signal.signal(signal.SIGINT, ignored)
            self.keys.take()
        self.status = "any key goes back"
        self.away = True
        self._footer()

    def _digest(self) -> str | None:
        """The hash of the file; None while an editor is between two steps of a save."""
        try:
            source = submission.read(self.home.file(self.kata)).source
        except (UsageError, OSError):
            return None
        except submission.Ungradable as error:
            return str(error)
        return sha256(source).hexdigest() if source else None

    def _path(self) -> str:
        path = self.home.file(self.kata)
        return str(path.relative_to(self.here) if path.is_relative_to(self.here) else path)


def _root() -> Path:
    return Path(__file__).resolve().parent.parent


_ACTIONS: dict[str, Callable[[Session], None]] = {
    "r": Session.run,
    "h": Session.ask_hint,
    "n": Session.next,
    "l": Session.list,
    "x": Session.ask_reset,
    "d": Session.debug,
    "q": Session.quit,
}
