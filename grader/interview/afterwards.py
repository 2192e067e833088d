"""The commands of an interview that is over: judge what is left, report, mark, hand on, verify."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from grader import desk as judged_desk
from grader import practice
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED, UsageError
from grader.interview import clock, judging, plan, report, room, rubric, sitting, talking
from grader.interview.facts import Sheet
from grader.interview.ledger import Ledger, NotAJournal, Read
from grader.interview.room import Room
from grader.interview.session import Kind, State
from grader.interview.waiting import judging_line
from grader.model import Submission
from grader.render import words
from grader.render.console import console, show
from grader.render.sentence import Sentence
from grader.workspace import Workspace

#: How much of a seal is told: enough to compare aloud.
SEAL = 12


def ended(found: Room, stdout: TextIO, stderr: TextIO, width: int | None) -> int:
    """Judge what was taken and say how it ended; 0 when every kata passed."""
    judge_rest(found, stderr)
    sheet = report.build(found.ledger.read())
    page = console(stdout, width=width)
    how = "The time is up." if sheet.ran_out else "The interview is over."
    marks, most = sheet.total
    show(
        page, Sentence(f"{how} {_results(sheet)} By the evidence that is {marks} of {most} marks.")
    )
    show(page, "\n")
    told = f"The seal of the journal is {sheet.seal[:SEAL]}; tell it to your interviewer."
    steps = (
        "kata interview report",
        "kata interview report --format html --output report.html",
        "kata interview export --output FILE",
    )
    show(page, Sentence(told, steps))
    passed = all(w.final and w.final.outcome == "PASS" for w in sheet.written)
    return EXIT_PASSED if passed else EXIT_NOT_PASSED


def judge_rest(found: Room, stderr: TextIO, *, remember: bool = True) -> None:
    """Judge what is not judged yet. A crash in between costs nothing: the rest waits."""
    while left := sitting.waiting(found.ledger.read().session):
        kata, sha, in_detail = left[0]
        with judging_line(kata, stderr, quiet=False) as told:
            sitting.conclude(found, kata, sha, in_detail, told, remember=remember)


def show_report(
    session: str | None,
    kind: str,
    output: Path | None,
    stdout: TextIO,
    stderr: TextIO,
    width: int | None,
    here: Path,
) -> int:
    """`kata interview report`."""
    found = _over(session, stderr, here)
    if output:
        judged_desk.check_writable(output)
    sheet = report.build(found.ledger.read())
    for line, text, serious in sheet.findings:
        if serious:
            print(f"kata: line {line} of the journal: {text}", file=stderr)
    if output is None:
        _write(sheet, kind, stdout, width)
        return EXIT_PASSED
    import io

    target = io.StringIO()
    _write(sheet, kind, target, width or judged_desk.FILE_WIDTH)
    judged_desk.put_file(output, target.getvalue())
    print(f"The report is in {output}.", file=stderr)
    return EXIT_PASSED


def mark(session: str | None, here: Path, stderr: TextIO, **options: Any) -> Sentence:
    """Add the interviewer's marks, a note, or ticks to a session file."""
    marks = {
        name: options[name.replace(" ", "_")]
        for name in rubric.NAMES
        if options.get(name.replace(" ", "_")) is not None
    }
    note, answer, points = options.get("note"), options.get("answer"), options.get("points")
    if (answer is None) != (points is None):
        raise UsageError("Give --answer ID and --points together.")
    if not marks and not note and answer is None:
        raise UsageError("Give a mark like --correctness 3, a --note, or --answer with --points.")
    found = _over(session, stderr, here)
    facts: dict[str, Any] = {"marks": marks} if marks else {}
    facts |= {"note": " ".join(note.split())} if note else {}
    if answer is not None and points is not None:
        facts |= {"answer": answer, "points": _ticks(found, answer, points)}
    with found.ledger.writing(found.clock) as writer:
        writer.add(Kind.MARKED, **facts)
    seal = found.ledger.read().seal[:SEAL]
    return Sentence(f"Added. The seal is {seal} now.", ("kata interview report",))


def export(session: str | None, output: Path, stderr: TextIO, here: Path) -> Sentence:
    """Copy a session file to where it can be handed back."""
    found = _over(session, stderr, here)
    judged_desk.check_writable(output)
    data = found.ledger.path.read_bytes()
    judged_desk.put_file(output, data.decode("ascii", "backslashreplace"))
    seal = found.ledger.read().seal[:SEAL]
    told = f"{output} holds the whole interview; hand it back, and tell the seal: {seal}."
    return Sentence(told, (f"kata interview verify {output}",))


def verify(
    session: str | None,
    seal: str | None,
    again: bool,
    stdout: TextIO,
    stderr: TextIO,
    width: int | None,
    here: Path,
) -> int:
    """Look for what was edited, is missing, or cannot be; 0 when nothing is."""
    found = _found(session, here)
    read = found.ledger.read()
    page = console(stdout, width=width)
    wrong = [(f.line, f.text) for f in read.findings if f.serious]
    for finding in read.findings:
        show(page, Sentence(f"line {finding.line}: {finding.text}"))
    problems = [
        *_forged(read),
        *_other_seal(read, seal),
        *(_differing(read, stderr) if again else []),
    ]
    for problem in problems:
        show(page, Sentence(problem))
    silence = max(
        (b.at - a.at for a, b in zip(read.events, read.events[1:], strict=False)), default=None
    )
    told = [words.count(len(read.events), "event")]
    if silence is not None:
        told.append(f"the longest silence is {words.duration(silence.total_seconds())}")
    if read.session.state is not State.OVER:
        told.append("the interview is not over")
    told.append(f"the seal is {read.seal[:SEAL]}")
    show(page, Sentence(f"{', '.join(told)}."))
    if wrong or problems:
        show(page, Sentence("The journal does not hold: see above."))
        return EXIT_NOT_PASSED
    show(page, Sentence("Nothing was edited, nothing is missing."))
    return EXIT_PASSED


def make_plan(changed: plan.Plan | None, name: str, output: Path | None, stdout: TextIO) -> None:
    """Print a plan, or write it: as it stands, comments and all, where nothing is changed."""
    text = plan.text_of(name) if changed is None else plan.written(changed)
    if output is None:
        stdout.write(text)
        return
    judged_desk.check_writable(output)
    judged_desk.put_file(output, text)


def last_told(path: Path) -> str:
    """A sentence about an interview that has ended."""
    try:
        session = Ledger(path).read().session
    except NotAJournal as error:
        return str(error)
    if session.ended is None:
        return "The last interview here was not begun."
    when = session.ended.astimezone()
    return f"The last one here, {session.plan.title!r}, ended on {when:%Y-%m-%d at %H:%M}."


def _write(sheet: Sheet, kind: str, stream: TextIO, width: int | None) -> None:
    if kind == "text":
        from grader.render.interview_report import SheetView

        show(console(stream, width=width), SheetView(sheet))
        return
    render: Callable[[Sheet], str]
    if kind == "html":
        from grader.render.formats.interview_html import render
    elif kind == "md":
        from grader.render.formats.interview_md import render
    else:
        from grader.render.formats.interview_json import render
    stream.write(render(sheet))


def _found(session: str | None, here: Path) -> Room:
    """The interview that is named: a file, or the last one of the workspace."""
    if session is not None:
        path = Path(session)
        if not path.is_file():
            raise UsageError(f"There is no session file {session}; name one that was handed back.")
        return Room(Workspace(path.parent), Ledger(path), clock.system())
    home = practice.home_of(here)
    paths = room.journals(home)
    if not paths:
        raise UsageError("There was no interview here yet; `kata interview start` begins one.")
    return Room(home, Ledger(paths[-1]), clock.system())


def _over(session: str | None, stderr: TextIO, here: Path) -> Room:
    """The same, once it is over and judged to the end."""
    found = _found(session, here)
    own = session is None
    state = found.look().state if own else found.ledger.read().session.state
    if state is not State.OVER:
        told = "; `kata interview finish` ends it." if own else ", so there is nothing to report."
        raise UsageError(f"The interview is still open{told}")
    judge_rest(found, stderr, remember=own)
    return found


def _results(sheet: Sheet) -> str:
    told = []
    for each in sheet.written:
        final = each.final
        if final is None:
            told.append(f"{each.kata} has no file that could be taken")
        else:
            cases = f", {final.passed} of {words.count(final.total, 'case')}" if final.total else ""
            told.append(f"{each.kata} {final.outcome}{cases}")
    return "; ".join(told) + "."


def _ticks(found: Room, answer: str, points: str) -> list[bool]:
    sheet = report.build(found.ledger.read())
    known = {each.id: each for each in sheet.answers}
    if answer not in known:
        raise UsageError(f"No question {answer!r} was asked; there are {', '.join(known)}.")
    return talking.ticked([point for point, _ in known[answer].points], points)


def _forged(read: Read) -> list[str]:
    """Versions whose text is not what its hash says."""
    return [
        f"The text of version {sha[:8]} is not what its hash says."
        for sha, text in room.sources(read.events).items()
        if room.digest(text.encode("utf-8", "surrogateescape")) != sha
    ]


def _other_seal(read: Read, seal: str | None) -> list[str]:
    """The seal that was told was given before any marks, so one on the way will do."""
    if seal is None:
        return []
    told = seal.strip().lower()
    if len(told) >= 8 and any(each.startswith(told) for each in read.seals):
        return []
    return [f"No line has the seal {seal}, so this is another journal, or one written anew."]


def _differing(read: Read, stderr: TextIO) -> list[str]:
    """Submits that the judge does not judge today as the journal says."""
    texts, wrong = room.sources(read.events), []
    for (kata, sha), verdict in read.session.verdicts.items():
        source = Submission(f"katas/{kata}.py", texts[sha].encode(), sha)
        with judging_line(kata, stderr, quiet=False) as told:
            now = judging.hidden(kata, source, read.session.plan.seed, told)
        if any(now[key] != verdict[key] for key in ("outcome", "passed", "total")):
            wrong.append(
                f"{kata}, version {sha[:8]}: the journal says {verdict['outcome']}, "
                f"{verdict['passed']} of {verdict['total']}; judged again it is "
                f"{now['outcome']}, {now['passed']} of {now['total']}."
            )
    return wrong
