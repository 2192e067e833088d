"""What `kata grade` does: choose, check, grade one fork or a batch, write a format, exit code."""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from grader import (
    batch,
    catalog,
    desk,
    doctor,
    fingerprint,
    isolation,
    judge,
    marks,
    redaction,
    revive,
)
from grader import sources as where
from grader.errors import (
    EXIT_BROKEN,
    EXIT_NOT_PASSED,
    EXIT_PASSED,
    IsolationTooLow,
    UsageError,
)
from grader.gradebook import Cohort, Entry
from grader.pool import Terms
from grader.render import batch as batch_view
from grader.render.console import console, show
from grader.render.formats import classroom, csv, github, gradescope, html, junit
from grader.render.formats import text as text_format
from grader.render.report import ReportView

FORMATS = ("text", "json", "junit", "gradescope", "classroom", "github", "csv", "html")
_DOCUMENTS = {
    "junit": junit.render,
    "gradescope": gradescope.render,
    "classroom": classroom.render,
    "csv": csv.render,
    "html": html.render,
}
#: Formats of one submission.
_SINGLE = ("gradescope", "classroom")
DEFAULT_RESULTS = Path("kata-grades")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata grade`, parsed."""

    paths: tuple[Path, ...] = ()
    roster: Path | None = None
    revision: str | None = None
    katas: tuple[str, ...] = ()
    deadline: str | None = None
    seed: int | None = None
    weights: Path | None = None
    extra_tests: Path | None = None
    jobs: int | None = None
    time_budget: str | None = None
    require_isolation: str | None = None
    timing: bool = False
    reveal: bool = False
    fail_on_any: bool = False
    format: str = "text"
    output: Path | None = None
    results: Path | None = None
    dask: str | None = None
    width: int | None = None


def run(request: Request, stdout: TextIO, stderr: TextIO) -> int:
    """Grade what was asked for and return the exit code."""
    if not hasattr(os, "fork"):
        raise UsageError(
            "This system cannot fork, which `kata grade` needs; use Linux, macOS or WSL."
        )
    forget_the_current_folder()
    several = is_batch(request)
    _check_format(request, several)
    katas = katas_of(request.katas)
    weights = marks.load(request.weights, katas) if request.weights else marks.Weights()
    extra = extra_tests(request.extra_tests, katas)
    deadline = moment(request.deadline) if request.deadline else None
    budget = seconds(request.time_budget) if request.time_budget else float("inf")
    until = time.monotonic() + budget
    places = where.places(request.paths, request.roster, request.revision)
    for place in places:
        where.refuse_own_files(place, [request.extra_tests] if request.extra_tests else [])
    floors = floors_of(katas, request.require_isolation)
    if request.dask is None and (reason := isolation.shortfall(floors)):
        raise IsolationTooLow(reason)
    terms = Terms(request.seed or 0, request.timing, floors, extra)
    head = _head(request, katas, floors, deadline)
    folder = request.results or (DEFAULT_RESULTS if several else None)
    with batch.Results(folder, head) if folder else nullcontext() as results:
        seed = results.head["seed"] if results else request.seed
        seed = secrets.randbelow(judge.SEED_BOUND) if seed is None else seed
        if results:
            results.begin(seed)
        head["seed"] = seed
        plan = batch.Plan(tuple(places), katas, replace(terms, seed=seed), deadline)
        with _engine(request, plan) as engine, _progress(several, places, stderr) as told:
            entries = batch.run(plan, engine, results, until, told)
    marked = tuple(marks.marked(entry, weights) for entry in entries)
    whole = Cohort(
        entries=marked,
        katas=katas,
        seed=seed,
        several=several,
        deadline=deadline.isoformat() if deadline else None,
        revealed=request.reveal,
        versions=judge.versions(),
    )
    write(request, whole if request.reveal else redaction.cohort(whole), head, stdout)
    _say_rest(request, entries, folder, several, seed, stderr)
    return exit_code(entries, several, request.fail_on_any)


def exit_code(entries: Sequence[Entry], several: bool, fail_on_any: bool) -> int:
    """One fork: as `run`. Several: 0 when all were graded, or 1 if asked and any failed."""
    results = [mark.result for entry in entries for mark in entry.marks]
    if "BROKEN" in results or batch.undecided(entries):
        return EXIT_BROKEN
    strict = fail_on_any or not several
    return EXIT_NOT_PASSED if strict and set(results) != {"PASS"} else EXIT_PASSED


# --- before ---------------------------------------------------------------------------


def forget_the_current_folder() -> None:
    """Nothing is imported from the current folder, which may be a fork, unless it is ours."""
    own = Path(__file__).resolve().parent.parent
    here = Path.cwd()
    sys.path[:] = [
        path
        for path in sys.path
        if path and (Path(os.path.abspath(path)) != here or Path(path).resolve() == own)
    ]


def is_batch(request: Request) -> bool:
    """Whether more than one fork was asked for, be it that there is only one."""
    folders = any(path.is_dir() and where.is_folder_of_forks(path) for path in request.paths)
    return request.roster is not None or len(request.paths) > 1 or folders


def _check_format(request: Request, several: bool) -> None:
    if several and request.format in _SINGLE:
        raise UsageError(
            f"--format {request.format} is for one submission; give one fork, "
            "or --format json, junit, csv or text."
        )
    if request.output:
        desk.check_writable(request.output)


def katas_of(names: Sequence[str]) -> tuple[str, ...]:
    """The katas to grade, in the order of the cards; all of them without names."""
    asked = {name.strip() for each in names for name in each.split(",") if name.strip()}
    for name in asked:
        catalog.find(name)
    return tuple(name for name in catalog.names() if not asked or name in asked)


def extra_tests(folder: Path | None, katas: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    """Private tests: every `test_<kata>.py` and `test_<kata>_<more>.py` of a folder."""
    if folder is None:
        return ()
    if not folder.is_dir():
        raise UsageError(f"--extra-tests {folder} is no folder; give one with test_<kata>.py.")
    found = []
    for path in sorted(folder.glob("test_*.py")):
        name = path.stem.removeprefix("test_")
        known = [k for k in catalog.names() if name == k or name.startswith(f"{k}_")]
        if not known:
            raise UsageError(f"{path} belongs to no kata; name it test_<kata>.py.")
        kata = max(known, key=len)
        if kata in katas:
            found.append((kata, path.stem, path.read_text(encoding="utf-8")))
    if not found:
        raise UsageError(f"--extra-tests {folder} holds no test of what is graded.")
    return tuple(found)


def moment(text: str) -> datetime:
    """The time of a deadline; it must say its zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise UsageError(
            f"--deadline {text!r} is no time with a zone; "
            "write it like 2025-03-01T23:59:00+01:00, or with Z for UTC."
        )
    return found


def seconds(text: str) -> float:
    """`90`, `90s`, `20m`, `1.5h`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not match or not float(match[1]):
        raise UsageError(f"--time-budget {text!r} is no time; write 90s, 20m or 2h.")
    return float(match[1]) * _UNITS[match[2]]


def floors_of(katas: Sequence[str], asked: str | None) -> dict[str, str]:
    """The isolation to require of each policy that is used."""
    used = {catalog.find(name).policy for name in katas}
    return {name: asked or doctor.FLOORS[name] for name in sorted(used)}


def _head(
    request: Request, katas: Sequence[str], floors: Mapping[str, str], deadline: datetime | None
) -> dict[str, Any]:
    """What must agree when a batch goes on; `seed` is None where it is still to be drawn."""
    extra = extra_tests(request.extra_tests, katas)
    texts = {k: [text.encode() for of, _, text in extra if of == k] for k in katas}
    return {
        "seed": request.seed,
        "katas": list(katas),
        "deadline": deadline.isoformat() if deadline else None,
        "require_isolation": dict(floors),
        "timing": request.timing,
        "versions": judge.versions(),
        "suites": {name: fingerprint.of_suite(catalog.find(name)) for name in katas},
        "extra_tests": {k: fingerprint.of_texts(found) for k, found in texts.items() if found},
    }


@contextmanager
def _engine(request: Request, plan: batch.Plan) -> Iterator[batch.Engine]:
    engine: batch.Engine
    if request.dask is not None:
        from grader.cluster import Cluster

        engine = Cluster(request.dask, plan.terms, plan.katas)
    else:
        size = request.jobs or batch.jobs_of_this_machine()
        engine = batch.Local(min(size, len(plan.places)))
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def _progress(
    several: bool, places: Sequence[where.Place], stderr: TextIO
) -> Iterator[batch_view.Told]:
    if not several:
        yield lambda entry, again: None
        return
    with batch_view.progress(len(places), stderr) as told:
        yield told


# --- after ----------------------------------------------------------------------------


def write(request: Request, cohort: Cohort, head: Mapping[str, Any], stdout: TextIO) -> None:
    """Put the format on stdout, or in the file of `--output`."""
    target = io.StringIO() if request.output else stdout
    if request.format == "text":
        _show(request, cohort, target)
    elif request.format == "github":
        _write_github(request, cohort, stdout, target)
    else:
        target.write(rendered(request.format, cohort, head))
    if request.output and isinstance(target, io.StringIO):
        desk.put_file(request.output, target.getvalue())


def rendered(kind: str, cohort: Cohort, head: Mapping[str, Any]) -> str:
    """The text of a format that is one document."""
    if kind == "json":
        document = batch.document(cohort.entries, head, revealed=cohort.revealed)
        return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    return _DOCUMENTS[kind](cohort)


def _show(request: Request, cohort: Cohort, target: TextIO) -> None:
    """A screen a kata for one fork, a table for a batch."""
    wide = request.width or (None if target.isatty() else desk.FILE_WIDTH)
    page = console(target, width=wide)
    if cohort.several:
        show(page, text_format.BatchView(cohort))
        return
    for mark in cohort.entries[0].marks:
        if mark.report is None:
            show(page, text_format.MarkLine(mark))
        else:
            show(page, ReportView(revive.report(catalog.find(mark.kata), mark.report)))
        show(page, "\n")
    show(page, text_format.Points(cohort))


def _write_github(request: Request, cohort: Cohort, stdout: TextIO, target: TextIO) -> None:
    """The log and its annotations on stdout; the summary to the file, or the step's own."""
    log = io.StringIO()
    _show(request, cohort, log)
    stdout.write(github.quoted(log.getvalue()))
    stdout.write(github.commands(cohort))
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if target is not stdout:
        target.write(github.summary(cohort))
    elif page:
        with open(page, "a", encoding="utf-8") as file:
            file.write(github.summary(cohort))


def _say_rest(
    request: Request,
    entries: Sequence[Entry],
    folder: Path | None,
    several: bool,
    seed: int,
    stderr: TextIO,
) -> None:
    """On stderr: the seed, where the results are, and what is left to do."""
    kept = f"; what hidden cases expect is in {folder}, for you alone" if folder else ""
    print(f"seed {seed}{kept}.", file=stderr)
    left = batch.undecided(entries)
    if left:
        again = "the same command goes on" if folder else "give more time"
        print(
            f"{left} of {len(entries)} were not graded in {request.time_budget}; {again}.",
            file=stderr,
        )
    if request.output:
        print(f"The {request.format} report is in {request.output}.", file=stderr)
