"""The commands `kata dev …` for contributors."""

from __future__ import annotations

import sys

import rich_click as click

from grader.cliparts import (
    HELP,
    Commands,
    kata_names,
    width_option,
)
from grader.errors import EXIT_PASSED


@click.group("dev", cls=Commands)
@click.rich_config(help_config=HELP)
def dev() -> None:
    """For contributors: prove that the katas are sound."""


@dev.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=kata_names)
@click.option("--strength", is_flag=True, help="Measure what the suites notice; takes minutes.")
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="With --strength: how often each known mistake is judged.",
)
@width_option
def dev_check(names: tuple[str, ...], strength: bool, seeds: int, width: int | None) -> int:
    """Check that stubs, references, mistakes and hints of the katas are what they claim.

    With --strength also judge every known mistake under several seeds and every mutant of
    the reference, and show what survives.

    Examples:
        kata dev check encode_bpe
        kata dev check merge_pair --strength --seeds 20
    """
    from grader import guide

    if strength:
        return guide.measured(names, seeds, sys.stdout, width)
    return guide.checked(names, sys.stdout, width)


@dev.command("new")
@click.argument("name")
def dev_new(name: str) -> int:
    """Write the five files of a new kata, ready to be filled in.

    Example: kata dev new count_symbols
    """
    from grader import skeleton

    for path in skeleton.create(name):
        print(path)
    return EXIT_PASSED


@dev.command("docs")
def dev_docs() -> int:
    """Write the page of each command into docs/commands of the checkout.

    Example: kata dev docs
    """
    from grader import guide, manual

    context = click.get_current_context()
    kata = context.find_root().command if context else None
    assert isinstance(kata, click.Group)
    for path in guide.written_pages(manual.pages(kata)):
        print(path)
    return EXIT_PASSED


COMMANDS = (dev,)
