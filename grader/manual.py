"""A page for each command, made from the command line itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

_EXAMPLES = re.compile(r"\n*^Examples?:[ ]?", re.MULTILINE)


def pages(root: click.Group) -> dict[str, str]:
    """Every page by its file name, and the list of them as README.md."""
    commands = dict(sorted(_commands(root, root.name or "kata")))
    found = {f"{_slug(name)}.md": page(name, command) for name, command in commands.items()}
    lines = [
        f"- [`{name}`]({_slug(name)}.md): {_first_line(command)}"
        for name, command in commands.items()
    ]
    head = "# The commands, one page each\n\nMade from the code by `kata dev docs`.\n\n"
    return {"README.md": head + "\n".join(lines) + "\n", **found}


def page(name: str, command: click.Command) -> str:
    """One command: what it does, how it is called, its options, its examples."""
    text, examples = _parts(command)
    parts = [f"# `{name}`", text, f"    {_usage(name, command)}"]
    if rows := [_row(param) for param in command.params if isinstance(param, click.Option)]:
        parts.append("\n".join(["| option | does |", "|---|---|", *rows]))
    if examples:
        parts.append("Examples:\n\n" + "\n".join(f"    {line}" for line in examples))
    return "\n\n".join(parts) + "\n"


def _commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    for each, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, f"{name} {each}")
        else:
            yield f"{name} {each}", command


def _parts(command: click.Command) -> tuple[str, list[str]]:
    """The help without its examples, each paragraph on one line; and the examples."""
    text = inspect.cleandoc(command.help or "")
    prose, *rest = _EXAMPLES.split(text, maxsplit=1)
    paragraphs = [" ".join(part.split()) for part in prose.split("\n\n") if part.strip()]
    examples = [line.strip() for line in (rest[0] if rest else "").splitlines() if line.strip()]
    return "\n\n".join(paragraphs), examples


def _usage(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=name)
    return " ".join((name, *command.collect_usage_pieces(context)))


def _row(option: click.Option) -> str:
    names = ", ".join(f"`{each}`" for each in (*option.opts, *option.secondary_opts))
    context = click.Context(click.Command(None))
    if not option.is_flag:
        metavar = option.make_metavar(context).replace("|", "\\|")
        names = names[:-1] + f" {metavar}`"
    help_text = (option.help or "").rstrip(".")
    default = option.default
    if option.show_default and default is not None:
        help_text += f" (default {default})"
    if option.show_envvar and option.envvar:
        help_text += f"; also `{option.envvar}`"
    for sign in "|<":
        help_text = help_text.replace(sign, f"\\{sign}")
    return f"| {names} | {help_text} |"


def _slug(name: str) -> str:
    return "-".join(name.split()[1:])


def _first_line(command: click.Command) -> str:
    return _parts(command)[0].partition("\n")[0]
