"""What every command of the command line shares."""

from __future__ import annotations

import sys
from typing import Any

import rich_click as click
from click.shell_completion import CompletionItem

from grader.errors import EXIT_PASSED, UsageError
from grader.render.escape import readable

width_option = click.option(
    "--width", type=click.IntRange(min=40), metavar="N", help="Columns to write in."
)


def kata_names(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """For the shell's completion: the katas, without reading one."""
    from grader import catalog

    names = sorted(card.stem for card in catalog.places().reference.glob("*.toml"))
    return [name for name in names if name.startswith(typed)]


def corpora(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The known corpora, and files."""
    from grader import library

    known = [CompletionItem(name) for name in library.names() if name.startswith(typed)]
    return known or [CompletionItem(typed, type="file")]


def solutions(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The reference, the known mistakes of the katas on the line, and files."""
    from grader import catalog

    words = ["reference"]
    for name in (*(ctx.params.get("names") or ()), *ctx.args):
        if name in kata_names(ctx, param, ""):
            words += [f"mistake:{mistake.id}" for mistake in catalog.mistakes(catalog.find(name))]
    known = [CompletionItem(word) for word in words if word.startswith(typed)]
    return known or [CompletionItem(typed, type="file")]


name_argument = click.argument("name", shell_complete=kata_names)
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def confirmed(question: str, yes: bool) -> bool:
    """Ask on a terminal; elsewhere `--yes` has to have been given."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask on; add --yes.")
    return click.confirm(readable(question), err=True)


def show_view(view: Any, width: int | None) -> int:
    """Print a view on stdout."""
    from grader.render.console import console, show

    show(console(sys.stdout, width=width), view)
    return EXIT_PASSED


def say(sentence: str, width: int | None, next_steps: tuple[str, ...] = ()) -> None:
    """Print one of our sentences on stdout, with a student's words in it made safe."""
    from grader.render.sentence import Sentence

    show_view(Sentence(sentence, next_steps), width)
