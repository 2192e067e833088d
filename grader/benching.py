"""What `kata bench` does: time each kata thoroughly, or set trainers and encoders side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from grader import bench, catalog, contest, desk, submission, workspace
from grader.corpus import open_corpus
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED, UsageError
from grader.model import Contest, Kata, Submission, Timing
from grader.peers import PEERS, Peer

BUDGET_S, CONTEST_BUDGET_S = 20.0, 120.0
CAPSTONE, ENCODER = "train_byte_bpe", "encode_bpe"


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata bench`, parsed."""

    names: tuple[str, ...]
    against: tuple[str, ...] = ()
    solution: str | None = None
    corpus: str | None = None
    budget_s: float | None = None
    vocab_size: int = 2_000
    format: str = "text"
    output: Path | None = None
    width: int | None = None


@dataclass(frozen=True, slots=True)
class Timed:
    """One kata with what was timed; without a timing where there was nothing to time."""

    kata: Kata
    path: str
    timing: Timing | None
    reason: str = ""


def run(request: Request, stdout: TextIO, stderr: TextIO) -> int:
    """Measure what was asked for and show it; 1 where a solution could not be timed."""
    if request.output:
        desk.check_writable(request.output)
    timed: list[Timed] = []
    contests: list[Contest] = []
    if request.against or request.solution == "record":
        contests = list(_contests(request, stderr))
    else:
        timed = list(_timings(request, stderr))
    _show(request, timed, contests, stdout, stderr)
    for each in timed:
        if each.reason:
            print(f"kata: {each.reason}", file=stderr)
    right = all(each.timing is not None and each.timing.ratio is not None for each in timed)
    return EXIT_PASSED if right else EXIT_NOT_PASSED


# --- one kata after another -----------------------------------------------------------


def _timings(request: Request, stderr: TextIO) -> Iterator[Timed]:
    if not request.names:
        known = ", ".join(catalog.names())
        raise UsageError(f"Name a kata, or give --against; the katas are {known}.")
    jobs = desk.plan(desk.Request(request.names, solution=request.solution), Path.cwd())
    open_corpus(request.corpus or "embedded")
    for job in jobs:
        with _progress(stderr, job.kata) as told:
            told("timing")
            yield _timed(job.kata, job.source, request)


def _timed(kata: Kata, source: Path | str | Submission, request: Request) -> Timed:
    try:
        found = source if isinstance(source, Submission) else submission.load(kata, source)
    except submission.Ungradable as problem:
        return Timed(kata, str(source), None, str(problem))
    if submission.is_unwritten(kata, found):
        return Timed(kata, found.path, None, f"{found.path} is still the stub; write it first.")
    budget_s = request.budget_s or BUDGET_S
    timing = bench.time_kata(kata, found, corpus=request.corpus, budget_s=budget_s, thorough=True)
    reason = "" if timing else f"{kata.name} has no workload, so there is nothing to time."
    return Timed(kata, found.path, timing, reason)


# --- against others -------------------------------------------------------------------


def _contests(request: Request, stderr: TextIO) -> Iterator[Contest]:
    jobs = _jobs(request)
    asked = _peers(request)
    kata = catalog.find(CAPSTONE)
    trains = CAPSTONE in jobs and any(peer.train for peer in asked)
    encodes = ENCODER in jobs and any(peer.encode for peer in asked)
    if not trains and not encodes:
        encoders = ", ".join(name for name, peer in PEERS.items() if peer.encode)
        raise UsageError(f"None of these does that; {encoders} encode, and all but tiktoken train.")
    with _progress(stderr, kata) as told:
        budget_s = request.budget_s or CONTEST_BUDGET_S
        text = open_corpus(request.corpus or "embedded")
        plan = contest.Plan(text, request.vocab_size, budget_s, _yours(request, kata), told)
        peers = _with_the_record(asked)
        if trains:
            yield contest.training(peers, plan)
        if encodes:
            yield contest.encoding(peers, plan)


def _peers(request: Request) -> list[Peer]:
    names = [name for given in request.against for name in given.split(",") if name]
    if request.solution == "record":
        names.insert(0, "record")
    peers = contest.chosen(names)
    if not any(peer.is_there() for peer in peers):
        listed = "; ".join(f"{peer.name}: {peer.remedy}" for peer in peers)
        raise UsageError(f"None of them is there to compare with ({listed}).")
    return peers


def _with_the_record(asked: list[Peer]) -> list[Peer]:
    record = PEERS["record"]
    return asked if record in asked or not record.is_there() else [record, *asked]


def _jobs(request: Request) -> tuple[str, ...]:
    names = tuple(map(desk.kata_name, request.names)) or (CAPSTONE, ENCODER)
    for name in names:
        if catalog.find(name).name not in (CAPSTONE, ENCODER):
            raise UsageError(
                f"There is nothing to compare {name} with; --against takes {CAPSTONE} "
                f"(trainers) and {ENCODER} (encoders)."
            )
    return names


def _yours(request: Request, kata: Kata) -> Submission | None:
    """The capstone of the workspace, where it is written, or the one that was named."""
    if request.solution == "record":
        return None
    if request.solution is None:
        home = workspace.find(Path.cwd())
        if home is None or not home.file(kata).is_file():
            return None
    (job,) = desk.plan(desk.Request((kata.name,), solution=request.solution), Path.cwd())
    try:
        source = job.source
        found = source if isinstance(source, Submission) else submission.load(kata, source)
    except submission.Ungradable as problem:
        raise UsageError(str(problem)) from None
    return None if submission.is_unwritten(kata, found) else found


# --- showing --------------------------------------------------------------------------


@contextmanager
def _progress(stderr: TextIO, kata: Kata) -> Iterator[Callable[[str], None]]:
    """One line on a terminal, gone in the end; nothing anywhere else."""
    if not stderr.isatty():
        yield lambda phase: None
        return
    from grader.render.progress import progress

    with progress(kata, stderr) as told:
        yield told


def _show(
    request: Request, timed: list[Timed], contests: list[Contest], stdout: TextIO, stderr: TextIO
) -> None:
    text = _written(request, timed, contests)
    if request.output:
        desk.put_file(request.output, text)
        print(f"What was measured is in {request.output}.", file=stderr)
    elif request.format == "text":
        _print(request, timed, contests, stdout, request.width)
    else:
        stdout.write(text)


def _written(request: Request, timed: list[Timed], contests: list[Contest]) -> str:
    import io

    if request.format == "json":
        from grader import judge
        from grader.render import bench_json
        from grader.render.json import dumps

        listed = [(each.kata.name, each.path, each.timing) for each in timed if each.timing]
        return dumps(bench_json.to_dict(listed, contests, judge.versions()))
    if request.format == "md":
        from grader.render.bench import contest_markdown, timing_markdown

        parts = [timing_markdown(each.kata.name, each.timing) for each in timed if each.timing]
        return "\n".join([*parts, *map(contest_markdown, contests)])
    target = io.StringIO()
    _print(request, timed, contests, target, request.width or desk.FILE_WIDTH)
    return target.getvalue()


def _print(
    request: Request,
    timed: list[Timed],
    contests: list[Contest],
    target: TextIO,
    width: int | None,
) -> None:
    from grader.render.bench import BenchView, ContestView
    from grader.render.console import console, show

    page = console(target, width=width)
    views: list[BenchView | ContestView] = [
        BenchView(each.kata.name, each.timing) for each in timed if each.timing
    ]
    views += map(ContestView, contests)
    for number, view in enumerate(views):
        if number:
            show(page, "\n")
        show(page, view)
