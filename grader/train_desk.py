"""What `kata train` does: train, save, try out, compare, and put together what is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any, TextIO

from grader import corpus, exports, fetching, library, published, published_check, sanity, trainer
from grader.corpus import SPECIAL, Corpus
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED, UsageError
from grader.published_check import Check
from grader.render.console import console, show
from grader.render.meter import meter
from grader.render.sentence import Sentence
from grader.render.training import TrainingView
from grader.sanity import Sanity
from grader.trainer import Order, Run

Said = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata train`, parsed."""

    corpus: str
    vocab_size: int | None = None  # None: the published one
    special_tokens: tuple[str, ...] = (SPECIAL,)
    solution: str = "reference"
    out: Path | None = None
    force: bool = False
    held_out: str | None = None
    twice: bool = False
    check_published: bool = False
    memory_mib: int | None = None
    width: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All there is to say about a training."""

    corpus: Corpus
    order: Order
    run: Run
    sanity: Sanity
    check: Check | None
    out: Path | None

    @property
    def sound(self) -> bool:
        return self.sanity.sound and (self.check is None or self.check.agrees)


def train(request: Request, stdout: TextIO, stderr: TextIO) -> int:
    """Train as asked; 1 when there is no tokenizer, or it is not what it should be."""
    page = console(stdout, width=request.width)
    try:
        with meter("train", stderr) as said:
            report = _trained(request, said)
    except trainer.Failed as error:
        show(page, Sentence(str(error)))
        return EXIT_NOT_PASSED
    show(page, view(report))
    return EXIT_PASSED if report.sound else EXIT_NOT_PASSED


def _trained(request: Request, said: Said) -> Report:
    opened = corpus.open_corpus(request.corpus)
    about = published_check.subject(opened, said) if request.check_published else None
    special = _special_tokens(request)
    size = _vocab_size(request, about[1] if about else None, len(special))
    if request.out:
        exports.check_free(request.out, request.force)
    source = trainer.load(request.solution)
    held_out = _held_out(request, opened)
    path = fetching.whereabouts(request.corpus)
    order = Order(path, size, special, request.solution, request.memory_mib)
    run = trainer.train(order, source, said)
    again = None
    if request.twice:
        again = trainer.train(order, source, lambda message: said(f"again: {message}"))
    files = exports.files(run.tokenizer)
    if request.out:
        exports.save(request.out, files)
    said("trying it out")
    found = sanity.examine(
        run.tokenizer,
        files["tokenizer.json"],
        corpus.sample(held_out),
        "the text it was trained on" if held_out == opened else held_out.name,
        None if again is None else again.tokenizer.merges == run.tokenizer.merges,
    )
    check = None
    if about:
        check = published_check.check(about[0], path, run.tokenizer, size, said)
    report = Report(opened, order, run, found, check, request.out)
    if request.out:
        text = dumps(facts(report), indent=1, ensure_ascii=False) + "\n"
        exports.save(request.out, {"training.json": text})
    return report


def _special_tokens(request: Request) -> tuple[str, ...]:
    special = request.special_tokens
    if "" in special or len(set(special)) < len(special):
        raise UsageError("Special tokens are distinct and not empty; mend the --special options.")
    if request.check_published and special != (SPECIAL,):
        raise UsageError(f"What is published has {SPECIAL} as its only special token; leave it so.")
    return special


def _vocab_size(request: Request, known: int | None, special: int) -> int:
    size = request.vocab_size or known
    if size is None:
        raise UsageError("Give --vocab-size N, the number of ids to end up with.")
    if size <= 256 + special:
        raise UsageError(
            f"--vocab-size {size} leaves no room for merges: there are 256 bytes and {special} "
            f"special tokens; give more than {256 + special}."
        )
    return size


def _held_out(request: Request, opened: Corpus) -> Corpus:
    """The text to measure on: the one asked for, the corpus's own, else the embedded one."""
    if request.held_out:
        return corpus.open_corpus(request.held_out)
    entry = library.entries().get(opened.name)
    if entry and entry.held_out:
        try:
            return corpus.open_corpus(entry.held_out)
        except UsageError:
            pass  # it is not on this machine
    return corpus.open_corpus(library.EMBEDDED)


def facts(report: Report) -> dict[str, Any]:
    """The report as plain data, for `training.json`."""
    tokenizer, run = report.run.tokenizer, report.run
    data: dict[str, Any] = {
        "schema": "kata-training/1",
        "corpus": {"name": report.corpus.name, "bytes": report.corpus.size},
        "solution": report.order.solution,
        "vocab_size": tokenizer.size,
        "asked": report.order.vocab_size,  # more, where no pair was left to merge
        "isolation": run.isolation,
        "special_tokens": list(tokenizer.special_tokens),
        "merges": len(tokenizer.merges),
        "merges_digest": published.digest(tokenizer.merges),
        "sanity": {
            "documents": report.sanity.documents,
            "round_trip": report.sanity.lost is None,
            "peer": report.sanity.peer,
            "peer_agrees": report.sanity.differs is None if report.sanity.peer else None,
            "deterministic": report.sanity.deterministic,
            "measured_on": report.sanity.measured_on,
            "bytes_per_token": [
                {"vocab_size": point.vocab_size, "value": round(point.bytes_per_token, 4)}
                for point in report.sanity.curve
            ],
        },
        "measured": {
            "wall_s": round(run.wall_s, 3),
            "cpu_s": round(run.cpu_s, 3),
            "peak_mib": round(run.peak_mib, 1),
        },
    }
    if report.check:
        data["published"] = _check_facts(report.check)
    return data


def _check_facts(check: Check) -> dict[str, Any]:
    data: dict[str, Any] = {"corpus": check.corpus, "agrees": check.agrees, "merges": None}
    if merges := check.merges:
        data["merges"] = {
            "compared": merges.compared,
            "agreeing": merges.agreeing,
            "leaves_with": check.leaves_with and [repr(side) for side in check.leaves_with],
            "prefixes": {str(number): same for number, same in merges.digests.items()},
        }
    data["tokens"] = [
        {
            "text": each.published.text,
            "published": each.published.tokens,
            "found": each.tokens,
            "bytes_per_token": each.bytes_per_token,
        }
        for each in check.counts
    ]
    return data


def view(report: Report) -> TrainingView:
    """The report as a screen."""
    return TrainingView(facts(report), _remarks(report), str(report.out) if report.out else None)


def _remarks(report: Report) -> tuple[str, ...]:
    """What is wrong, a sentence each."""
    found = []
    if report.sanity.lost is not None:
        found.append(f"This document does not come back: {report.sanity.lost!r}")
    if report.sanity.differs is not None:
        found.append(f"{report.sanity.peer} has other ids for {report.sanity.differs!r}")
    return tuple(found)
