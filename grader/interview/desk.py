"""The commands of a session that is open: begin, look, run, submit, ask, go on, end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from grader import catalog, practice
from grader import desk as judged_desk
from grader.errors import EXIT_BROKEN, EXIT_NOT_PASSED, EXIT_PASSED, UsageError
from grader.interview import afterwards, clock, dialogue, live, room, sitting, talking
from grader.interview import plan as plans
from grader.interview.judging import Told
from grader.interview.room import Room
from grader.interview.session import Kind, State
from grader.interview.standing import COST, plan_rows, standing, verdict_text, warnings
from grader.interview.waiting import judging_line
from grader.model import Outcome
from grader.render import words
from grader.render.console import console, show
from grader.render.hints import HintsView
from grader.render.interview import ClockLine, PlanView, StandingView, WelcomeView
from grader.render.report import UNUSED, ReportView
from grader.render.sentence import Sentence

_STRICT_NOTE = "Strict: there is no pause, and answers are ticked off by the interviewer."
_START_NOTE = (
    "Your files of these katas become fresh stubs; what is in them is kept as an attempt. "
    "While the interview is open, `kata run`, `hint`, `solution`, `debug` and `trace` rest."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which interview: a plan, and what the command line changes in it."""

    plan: str = "screen"
    katas: tuple[str, ...] = ()
    minutes: int | None = None
    seed: int | None = None
    strict: bool | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The katas, given one by one or with commas."""
        words_ = ",".join(self.katas).split(",")
        return tuple(judged_desk.kata_name(word.strip()) for word in words_ if word.strip())

    def changed(self) -> plans.Plan:
        """The plan with these changes, nothing drawn yet. Raises `PlanError`."""
        found = plans.load(self.plan)
        return replace(
            found,
            minutes=self.minutes or found.minutes,
            strict=found.strict if self.strict is None else self.strict,
            seed=found.seed if self.seed is None else self.seed,
        )

    def written(self) -> plans.Plan | None:
        """The plan to hand out; None when nothing was changed."""
        found = self.changed()
        if self == Choice(self.plan):
            return None
        return plans.settled(found, found.seed or 0, self.names) if self.names else found


def prepared(choice: Choice, here: Path) -> tuple[PlanView, Callable[[], list[Any]]]:
    """What would begin, and what begins it."""
    home, found = practice.home_of(here), choice.changed()
    if room.opened(home, clock.system()) is not None:
        raise UsageError(
            "An interview is open here; `kata interview` shows it, `kata interview finish` ends it."
        )
    seed = secrets.randbelow(10**6) if found.seed is None else found.seed
    settled = plans.settled(found, seed, choice.names)
    notes = [_START_NOTE, *([_STRICT_NOTE] if found.strict else [])]
    rows = plan_rows(settled if choice.names else found, drawn=bool(choice.names))
    view = PlanView(found.title, found.minutes, found.strict, rows, notes)

    def begin() -> list[Any]:
        opened, kept = sitting.start(home, settled, clock.system())
        session = opened.ledger.read().session
        views: list[Any] = [Sentence(note) for note in kept]
        return [*views, StandingView(standing(opened, session, opened.clock.now(), here))]

    return view, begin


def status(stdin: TextIO, stdout: TextIO, stderr: TextIO, width: int | None, here: Path) -> int:
    """`kata interview` alone: the live clock, one line in a pipe, or how to begin."""
    home, page = practice.home_of(here), console(stdout, width=width)
    found = room.opened(home, clock.system())
    if found is None:
        show(page, _welcome(home, here))
        return EXIT_PASSED
    if stdin.isatty() and stdout.isatty():
        session = live.watch(found, stdin, stdout, here, width)
    else:
        with _warned(found, stderr):
            session = found.look()
    if session.state is State.OVER:
        return afterwards.ended(found, stdout, stderr, width)
    if not (stdin.isatty() and stdout.isatty()):
        show(page, ClockLine(standing(found, session, found.clock.now(), here)))
    return EXIT_PASSED


def run(stdout: TextIO, stderr: TextIO, width: int | None, here: Path) -> int:
    """The visible examples, as `kata run` shows them."""
    found, page = _current(here), console(stdout, width=width)
    try:
        with _warned(found, stderr), _line(found, stderr) as told:
            report = sitting.run(found, told)
    except sitting.StillStub as stub:
        return _stub(stub, stdout, width)
    if report.outcome is Outcome.PASS:
        text = f"{words.count(len(report.verdicts), 'visible example')} of {report.kata.name} hold."
        show(page, Sentence(text, ("kata interview submit",)))
        return EXIT_PASSED
    # With the level goes the seed, which is that of the hidden inputs.
    unnamed = replace(report.isolation, level=UNUSED)
    show(page, ReportView(replace(report, isolation=unnamed), all_failures=True))
    return EXIT_BROKEN if report.outcome is Outcome.BROKEN else EXIT_NOT_PASSED


def submit(stdout: TextIO, stderr: TextIO, width: int | None, here: Path) -> int:
    """The hidden suite, or the check of a follow-up."""
    found, page = _current(here), console(stdout, width=width)
    try:
        with _warned(found, stderr):
            session = found.look()
            item = talking.pending(session) if session.state is State.LADDER else None
            if item is not None:
                return _climbed(found, item, stdout, stderr, width)
            with _line(found, stderr) as told:
                result = sitting.submit(found, told)
    except sitting.StillStub as stub:
        return _stub(stub, stdout, width)
    outcome = result.verdict["outcome"]
    text = f"{result.kata}, submit {result.number}: {outcome}, {verdict_text(result.verdict)}."
    if outcome == Outcome.BROKEN:
        show(page, Sentence("The grader itself failed; that is not your fault. Submit again."))
        return EXIT_BROKEN
    if result.again:
        text = f"This version was submitted before. {text}"
    passed = outcome == Outcome.PASS
    session = found.ledger.read().session
    steps: tuple[str, ...] = ("kata interview run", "kata interview submit")
    if passed:
        steps = ("kata interview finish",) if session.is_last else ("kata interview next",)
    show(page, Sentence(text, steps))
    return EXIT_PASSED if passed else EXIT_NOT_PASSED


def next_hint(here: Path) -> tuple[str, Callable[[], HintsView]]:
    """The question before a hint is shown, and what takes it."""
    found = _current(here)
    kata, number = sitting.next_hint(found.look())
    total = len(catalog.find(kata).hints)

    def take() -> HintsView:
        name, which, text, count = sitting.hint(found)
        return HintsView(name, [(which, text)], count, ("kata interview run",))

    return f"Show hint {number} of {total} for {kata}? It costs {COST}.", take


def hints_again(here: Path) -> HintsView:
    """The hints of the current kata that were taken."""
    session = _current(here).look()
    seen = session.hints.get(session.kata or "", 0)
    if session.kata is None or not seen:
        raise UsageError("You have taken no hint here; `kata interview hint` does.")
    hints = catalog.find(session.kata).hints
    return HintsView(session.kata, list(enumerate(hints[:seen], start=1)), len(hints))


def answer(stdin: TextIO, stdout: TextIO, stderr: TextIO, here: Path, **options: Any) -> int:
    """The next question, and its answer."""
    found = _current(here)
    with _warned(found, stderr):
        return dialogue.answer(found, dialogue.Request(**options), stdin, stdout)


def pause(stderr: TextIO, here: Path) -> list[Any]:
    """Stop the clock."""
    found = _current(here)
    with _warned(found, stderr):
        session = sitting.step(found, Kind.PAUSED)
    left = words.clock(session.left_s(found.clock.now()))
    return [Sentence(f"The clock stands still, with {left} left.", ("kata interview resume",))]


def resume(stderr: TextIO, here: Path) -> list[Any]:
    """Let the clock go on."""
    return _stepped(Kind.RESUMED, stderr, here)


def following(stderr: TextIO, here: Path) -> list[Any]:
    """Go on to the next stage."""
    return _stepped(Kind.MOVED, stderr, here)


def finish(stdout: TextIO, stderr: TextIO, width: int | None, here: Path) -> int:
    """End the interview and judge what was taken."""
    found = _current(here)
    sitting.finish(found)
    return afterwards.ended(found, stdout, stderr, width)


def _stepped(kind: Kind, stderr: TextIO, here: Path) -> list[Any]:
    found = _current(here)
    with _warned(found, stderr):
        session = sitting.step(found, kind)
    return [StandingView(standing(found, session, found.clock.now(), here))]


def _climbed(
    found: Room, item: talking.Item, stdout: TextIO, stderr: TextIO, width: int | None
) -> int:
    """A follow-up put to the judge; once it holds, the next one is due."""
    page = console(stdout, width=width)
    if not item.checkable:
        text = "This follow-up is talked about; there is nothing to check."
        show(page, Sentence(text, ("kata interview answer",)))
        return EXIT_NOT_PASSED
    talking.ask(found)
    with _line(found, stderr) as told:
        result = talking.climb(found, item, told)
    if result.passed:
        talking.answer(found, item, checked=result.text)
    following = talking.pending(found.ledger.read().session)
    steps: tuple[str, ...] = ("kata interview answer",) if following else ("kata interview next",)
    if not result.passed:
        steps = ("kata interview submit", "kata interview answer --skip")
    show(page, Sentence(f"{item.kata}, {item.ask}"))
    show(page, Sentence(result.text, steps))
    return EXIT_PASSED if result.passed else EXIT_NOT_PASSED


def _current(here: Path) -> Room:
    return room.current(practice.home_of(here), clock.system())


def _welcome(home: Any, here: Path) -> WelcomeView:
    found = [(name, plans.load(name)) for name in plans.names()]
    rows = [(name, each.minutes, len(each.katas)) for name, each in found]
    ended = room.journals(home)
    last = afterwards.last_told(ended[-1]) if ended else None
    steps = ("kata interview start", *(["kata interview report"] if ended else []))
    return WelcomeView(rows, last, steps)


def _stub(stub: sitting.StillStub, stdout: TextIO, width: int | None) -> int:
    steps = (f"kata show {stub.kata}", "kata interview run")
    show(console(stdout, width=width), Sentence(str(stub), steps))
    return EXIT_NOT_PASSED


@contextmanager
def _warned(found: Room, stderr: TextIO) -> Iterator[None]:
    """Afterwards say, beside what was shown, that half of the time is over and the like."""
    session = found.ledger.read().session
    was_s = session.left_s(session.at or found.clock.now())
    yield
    for sentence in warnings(session, was_s, found.clock.now()):
        print(f"kata: {sentence}", file=stderr)


@contextmanager
def _line(found: Room, stderr: TextIO) -> Iterator[Told]:
    """What moves on a terminal while the current kata is judged."""
    kata = found.ledger.read().session.kata
    with judging_line(kata, stderr) if kata else nullcontext(lambda news: None) as told:
        yield told
