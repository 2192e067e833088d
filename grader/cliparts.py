"""What every command of the command line shares."""

from __future__ import annotations

import sys
from typing import Any

import rich_click as click
from click.shell_completion import CompletionItem

from grader.errors import EXIT_PASSED, UsageError
from grader.render.escape import readable

HELP = {
    "theme": "default-slim",
    "enable_theme_env_var": False,
    "max_width": 100,
    "commands_before_options": True,
    "options_table_help_sections": ["help", "default", "envvar"],
    "padding_helptext_first_line": (0, 0, 1, 0),
    "text_paragraph_linebreaks": "\n\n",
}


class Interrupted(BaseException):
    """Ctrl-C, in a form that click leaves to us."""


class Commands(click.RichGroup):
    """A group that suggests the nearest command, or the one a kata's name belongs to."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(self._unknown(ctx, args[0]), ctx)
        return super().resolve_command(ctx, args)

    def _unknown(self, ctx: click.Context, name: str) -> str:
        from grader import catalog

        commands = self.list_commands(ctx)
        near = catalog.nearest(name, commands)
        if name in catalog.names():
            near = f"run {name}"
        offer = f"did you mean `{ctx.command_path} {near}`?" if near else _listed(commands)
        return f"There is no command {name!r}; {offer}"


def _listed(commands: list[str]) -> str:
    return f"the commands are {', '.join(commands)}."


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


corpus_option = click.option(
    "--corpus",
    metavar="NAME|PATH",
    shell_complete=corpora,
    help="The text to time on; embedded by default.",
)
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
