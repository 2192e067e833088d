"""The command of the drills: parse, call, show."""

from __future__ import annotations

import sys

import rich_click as click

from grader.cliparts import width_option

#: The kinds of `grader.drill.NAMES`, which is loaded only when it is needed; a test compares.
KINDS = ("merge", "tie", "segment", "tokens", "vocab", "bytes", "pretokens", "complexity", "talk")


@click.command("drill")
@click.argument("kind", required=False, type=click.Choice(KINDS), metavar="[KIND]")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="The same exercises again.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="How many; else no end.")
@click.option(
    "--level",
    type=click.IntRange(1, 3),
    metavar="N",
    help="Where to begin, from 1 to 3; it then follows your answers.",
)
@width_option
def drill(
    kind: str | None, seed: int | None, count: int | None, level: int | None, width: int | None
) -> int:
    """Practise on paper: short exercises without end, each explained after your answer.

    Kinds: merge (the next merge and its count), tie (which pair goes first), segment (encode
    a word), tokens (how many after some merges), vocab (its size), bytes (a character in
    UTF-8), pretokens (GPT-2's split of a text), complexity (the cost of a loop), and talk
    (questions of an interview, to be answered aloud). Without a kind all but talk are mixed.

    Two right answers in a row make a kind harder, a wrong one easier. ? shows the answer, q
    ends. Answers can come from a pipe, one a line.

    Examples:
        kata drill
        kata drill segment --level 2
        kata drill pretokens --count 10 --seed 7
        kata drill talk
    """
    from grader import drill as drilling

    return drilling.drill(drilling.Request(kind, seed, count, level, width), sys.stdin, sys.stdout)


COMMANDS = (drill,)
