"""What `kata run` does at the desk: choose, judge one kata after another, show, remember."""

from __future__ import annotations

import io
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from grader import catalog, submission, workspace
from grader.errors import EXIT_BROKEN, EXIT_NOT_PASSED, EXIT_PASSED, UsageError
from grader.model import Kata, Outcome, Report, Submission, Verdict
from grader.record import Record

if TYPE_CHECKING:
    from grader.judge import Source
    from grader.render.console import KataConsole

SEED_BOUND = 10**6
#: Width of a text report that goes to a file.
FILE_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata run`, parsed."""

    names: tuple[str, ...]
    every: bool = False
    solution: str | None = None
    corpus: str | None = None
    seed: int | None = None
    timing: bool | None = None  # None: after a pass
    format: str = "text"
    output: Path | None = None
    all_failures: bool = False
    width: int | None = None
    require_isolation: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One kata to judge."""

    kata: Kata
    source: Source
    home: workspace.Workspace | None  # where to remember the report; None for another's code


def run(request: Request, stdout: TextIO, stderr: TextIO) -> int:
    """Judge what was asked for and return the exit code."""
    jobs = plan(request, Path.cwd())
    if request.corpus and request.timing is not False:
        _readable_corpus(request.corpus)
    if request.output:
        check_writable(request.output)
    seed = request.seed
    if seed is None and len(jobs) > 1:  # one for all of them, so that one number repeats the run
        seed = secrets.randbelow(SEED_BOUND)
    target = io.StringIO() if request.output else stdout
    show = _shower(request, jobs, target)
    reports = []
    for job in jobs:
        report = _judged(request, job, seed, stderr)
        reports.append(report)
        show(job, report, tuple(reports))
    if request.output and isinstance(target, io.StringIO):
        put_file(request.output, target.getvalue())
        outcomes = ", ".join(f"{report.kata.name} {report.outcome}" for report in reports)
        print(f"{outcomes}; the report is in {request.output}.", file=stderr)
    return exit_code(reports)


def plan(request: Request, here: Path) -> list[Job]:
    """The katas to judge and the code of each; raises before anything is judged."""
    if request.every and request.names:
        raise UsageError("Give names or --all, not both.")
    if not request.every and not request.names:
        known = ", ".join(catalog.names())
        raise UsageError(f"Name a kata or give --all; the katas are {known}.")
    home = workspace.find(here)
    if request.every:
        katas = list(catalog.all_katas())
    else:
        katas = [catalog.find(name) for name in dict.fromkeys(map(kata_name, request.names))]
    return [_job(kata, request.solution, home, here) for kata in katas]


def exit_code(reports: list[Report]) -> int:
    """3 if any is our fault, else 1 if any did not pass."""
    if any(report.outcome is Outcome.BROKEN for report in reports):
        return EXIT_BROKEN
    return EXIT_PASSED if all(report.passed for report in reports) else EXIT_NOT_PASSED


def next_steps(job: Job, report: Report) -> tuple[str, ...]:
    """The commands that help most after this report."""
    if job.home is None:
        return ()
    if not report.passed:
        return _after_failure(report)
    following = job.home.next_kata(catalog.all_katas())
    return (f"kata show {following.name}",) if following else ("kata list",)


def _after_failure(report: Report) -> tuple[str, ...]:
    name = report.kata.name
    if any(verdict.counterexample for verdict in report.verdicts):
        return (f"kata hint {name}", f"kata debug {name}")
    return (f"kata show {name}", f"kata run {name}")


def named(name: str) -> Kata:
    """The kata of that name; `katas/encode_bpe.py`, as a shell completes it, is one too."""
    return catalog.find(kata_name(name))


def kata_name(name: str) -> str:
    """`katas/encode_bpe.py` is `encode_bpe`."""
    return Path(name).stem if name.endswith(".py") else name


def _job(kata: Kata, solution: str | None, home: workspace.Workspace | None, here: Path) -> Job:
    if solution == "reference" or (solution or "").startswith("mistake:"):
        return Job(kata, str(solution), None)
    if solution is not None:
        path = Path(solution)
        path = path / f"{kata.name}.py" if path.is_dir() else path
        return Job(kata, _existing(path, f"There is no file {path}; give --solution a file."), None)
    if home is None:
        raise UsageError(
            "There is no katas folder here or above; "
            "make one with `kata init DIR`, or give --solution PATH."
        )
    path = home.file(kata)
    missing = f"{path} is missing; `kata init DIR` makes a folder with fresh stubs to copy from."
    return Job(kata, _existing(_seen_from(path, here), missing), home)


def _existing(path: Path, complaint: str) -> Path:
    if not os.path.lexists(path):
        raise UsageError(complaint)
    return path


def _seen_from(path: Path, here: Path) -> Path:
    """The path as a learner would type it, where that is shorter."""
    return path.relative_to(here) if path.is_relative_to(here) else path


def _judged(request: Request, job: Job, seed: int | None, stderr: TextIO) -> Report:
    from grader import judge

    options = judge.Options(
        seed=seed,
        timing=request.timing,
        corpus=request.corpus,
        require_isolation=request.require_isolation,
    )
    source = _kept(job, stderr)
    with _progress(job.kata, stderr) as told:
        report = judge.judge(job.kata, source, options, on_verdict=told, on_phase=told)
    if job.home:
        _tell(Record(job.home).after(report), stderr)
    return report


def _kept(job: Job, stderr: TextIO) -> Source:
    """What to judge, read once, so that the version that is kept is the one that is judged."""
    if job.home is None or isinstance(job.source, Submission):
        return job.source
    try:
        found = submission.load(job.kata, job.source)
    except submission.Ungradable:
        return job.source  # the judge reports it
    _tell(Record(job.home).before(job.kata, found), stderr)
    return found


def _tell(sentence: str | None, stderr: TextIO) -> None:
    if sentence:
        print(f"kata: {sentence}", file=stderr)


@contextmanager
def _progress(kata: Kata, stderr: TextIO) -> Iterator[Callable[[Verdict | str], None]]:
    """One line on a terminal, gone when the kata is done; nothing anywhere else."""
    if not stderr.isatty():
        yield lambda news: None
        return
    from grader.render.progress import progress

    with progress(kata, stderr) as told:
        yield told


def _shower(
    request: Request, jobs: list[Job], target: TextIO
) -> Callable[[Job, Report, tuple[Report, ...]], None]:
    """What to do with each report as it comes. Nothing is imported before the first one."""
    if request.format == "json":
        return _json_shower(len(jobs), target)
    return _text_shower(request, len(jobs), target)


def _json_shower(total: int, target: TextIO) -> Callable[[Job, Report, tuple[Report, ...]], None]:
    def show(job: Job, report: Report, reports: tuple[Report, ...]) -> None:
        from grader.render import json as report_json

        if len(reports) == total:
            target.write(report_json.dumps(report_json.to_dict(reports)))

    return show


def _text_shower(
    request: Request, total: int, target: TextIO
) -> Callable[[Job, Report, tuple[Report, ...]], None]:
    width = request.width or (FILE_WIDTH if request.output else None)

    def show(job: Job, report: Report, reports: tuple[Report, ...]) -> None:
        from grader.render.console import console
        from grader.render.console import show as put
        from grader.render.report import ReportView

        page = console(target, width=width)
        if total == 1:
            put(page, ReportView(report, next_steps(job, report), request.all_failures))
        else:
            _show_one_of_many(page, request, reports, len(reports) == total)

    return show


def _show_one_of_many(
    page: KataConsole, request: Request, reports: tuple[Report, ...], last: bool
) -> None:
    """A line where that is enough, else a screen between blank lines; the sum at the end."""
    from grader.render.console import show
    from grader.render.report import ReportLine, ReportView, Summary

    report = reports[-1]
    if _brief(report):
        show(page, ReportLine(report))
    else:
        if len(reports) > 1 and _brief(reports[-2]):
            show(page, "\n")
        show(page, ReportView(report, (), request.all_failures))
    if last or not _brief(report):
        show(page, "\n")
    if last:
        show(page, Summary(reports))


def _brief(report: Report) -> bool:
    """Whether one line says it all in a run over several katas."""
    return report.outcome in (Outcome.PASS, Outcome.UNWRITTEN)


def _readable_corpus(name: str) -> None:
    """Raise before the judging for a corpus that does not exist."""
    from grader import corpus

    corpus.open_corpus(name)


def check_writable(path: Path) -> None:
    """Raise before an hour of grading, not after it."""
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(f"--output {path} cannot be written; name a file in a folder that can.")


def put_file(path: Path, text: str) -> None:
    """Write the report; a device or a pipe is written to, a file is replaced whole."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        special = path.exists() and not stat.S_ISREG(path.stat().st_mode)
        if special:
            path.write_bytes(data)
        else:
            workspace.write_atomically(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise UsageError(f"--output {path}: {error.strerror or error}.") from None
