"""The command `kata bench`: parse and hand over."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import rich_click as click

from grader.cliparts import corpus_option, kata_names, solutions, width_option


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=kata_names)
@click.option(
    "--against",
    multiple=True,
    metavar="NAME[,NAME]",
    help="Compare with tokenizers, tiktoken, rustbpe, bpeasy, ffbpe, gigatoken, minbpe or record.",
)
@click.option(
    "--solution",
    metavar="PATH|reference|mistake:ID|record",
    shell_complete=solutions,
    help="What to time; your file in the workspace without it.",
)
@corpus_option
@click.option(
    "--budget",
    "budget_s",
    type=click.FloatRange(min=1),
    metavar="S",
    help="Seconds for each kata, 20 by default; for each table of --against 120.",
)
@click.option(
    "--vocab-size",
    type=click.IntRange(min=257),
    default=2_000,
    show_default=True,
    metavar="N",
    help="With --against: what is trained to.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json", "md"]),
    default="text",
    show_default=True,
    help="A screen, the data described in docs/bench.md, or tables for a page.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write it to a file, whole or not at all.",
)
@width_option
def bench(**options: Any) -> int:
    """Time a solution longer and tell more than `run` does; or compare it with packages.

    Without --against: CPU time beside the reference and a naive version, first calls, growth,
    memory, and for the capstone its stages. With it: trainers and encoders on one text, each in
    a fresh process, and whether their merges are right (`pip install "bpe-kata[peers]"`).

    Exit codes: 0 timed, 1 the answers are wrong or there is nothing to time, 2 usage.

    Examples:
        kata bench train_bpe --budget 60
        kata bench --against tokenizers,tiktoken,rustbpe
        kata bench --against rustbpe --corpus big.txt --vocab-size 32000
    """
    from grader import benching
    from grader.interview import guard

    for name in options["names"]:
        guard.refuse("bench", name, Path.cwd())
    request = benching.Request(format=options.pop("kind"), **options)
    return benching.run(request, sys.stdout, sys.stderr)


COMMANDS = (bench,)
