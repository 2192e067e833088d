"""The commands of the practice loop: parse, call, show."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import rich_click as click

from grader.cliparts import (
    confirmed,
    kata_names,
    name_argument,
    say,
    show_view,
    width_option,
    yes_option,
)
from grader.errors import EXIT_PASSED


@click.command("attempts")
@name_argument
@click.option("--diff", is_flag=True, help="How each version differs from the one before.")
@click.option("--restore", type=click.IntRange(min=1), metavar="N", help="Put version N back.")
@width_option
def attempts(name: str, diff: bool, restore: int | None, width: int | None) -> int:
    """List every version of a kata that was graded, with time, hash and verdict.

    Nothing is lost: a version is put aside before it is judged, and what a command replaces
    is put aside before it is replaced.

    Examples:
        kata attempts encode_bpe
        kata attempts encode_bpe --diff
        kata attempts encode_bpe --restore 3
    """
    from grader import practice
    from grader.interview import guard

    if diff and restore is not None:
        raise click.UsageError("Give --diff or --restore, not both.")
    if restore is not None:
        guard.refuse("attempts --restore", name, Path.cwd())
        say(practice.restore(name, restore, Path.cwd()), width)
        return EXIT_PASSED
    if not diff:
        return show_view(practice.attempts(name, Path.cwd()), width)
    guard.refuse("attempts --diff", name, Path.cwd())
    for view in practice.differences(name, Path.cwd()):
        show_view(view, width)
    return EXIT_PASSED


@click.command("hint")
@name_argument
@click.option("--again", is_flag=True, help="Show the hints you have taken, and no new one.")
@yes_option
@width_option
def hint(name: str, again: bool, yes: bool, width: int | None) -> int:
    """Take the next hint of a kata: from a nudge to nearly the code.

    Each hint is confirmed and remembered. After a pass they start over.

    Examples:
        kata hint encode_bpe
        kata hint encode_bpe --again
    """
    from grader import practice
    from grader.interview import guard

    guard.refuse("hint", name, Path.cwd())
    if again:
        return show_view(practice.hints_again(name, Path.cwd()), width)
    number, total = practice.next_hint(name, Path.cwd())
    if number <= total and not confirmed(f"Show hint {number} of {total} for {name}?", yes):
        return EXIT_PASSED
    return show_view(practice.hint(name, Path.cwd()), width)


@click.command("solution")
@name_argument
@click.option("--anyway", is_flag=True, help="Look before a pass; this is remembered.")
@width_option
def solution(name: str, anyway: bool, width: int | None) -> int:
    """Show the reference beside your version, after a pass.

    Side by side where there are 117 columns, else one above the other.

    Examples:
        kata solution encode_bpe
        kata solution encode_bpe --anyway
    """
    from grader import practice
    from grader.interview import guard

    guard.refuse("solution", name, Path.cwd())
    return show_view(practice.solution(name, anyway, Path.cwd()), width)


@click.command("reset")
@name_argument
@yes_option
@width_option
def reset(name: str, yes: bool, width: int | None) -> int:
    """Put the pristine stub back; your version is kept as an attempt.

    Examples:
        kata reset encode_bpe
        kata reset encode_bpe --yes
    """
    from grader import practice
    from grader.interview import guard

    guard.refuse("reset", name, Path.cwd())
    practice.home_of(Path.cwd())
    if not confirmed(f"Replace your {name} by the stub? It is kept as an attempt.", yes):
        return EXIT_PASSED
    say(practice.reset(name, Path.cwd()), width)
    return EXIT_PASSED


@click.command("next")
@width_option
def next_kata(width: int | None) -> int:
    """Show the statement of the next kata that has not passed.

    Example:
        kata next
    """
    from grader import practice

    return show_view(practice.following(Path.cwd()), width)


@click.command("debug")
@name_argument
@click.option("--no-stop", is_flag=True, help="Run through; stop only where the file says so.")
@width_option
def debug(name: str, no_stop: bool, width: int | None) -> int:
    """Run the last counterexample in this process, under the debugger.

    On a terminal it stops at the first line of your function, or at your own
    `breakpoint()` if there is one, and after an exception where it was raised. Prints come
    straight through. There is no sandbox and no time limit here: Ctrl-C shows where a loop is.

    Exit codes: 0 the answer is right now, 1 it is not.

    Examples:
        kata debug encode_bpe
        kata debug encode_bpe --no-stop
    """
    from grader import debugger
    from grader.interview import guard

    guard.refuse("debug", name, Path.cwd())
    stop = sys.stdin.isatty() and not no_stop
    return debugger.debug(name, stop, sys.stdout, width, Path.cwd())


@click.command("repro")
@name_argument
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where to write; without it the folder repro of the workspace.",
)
@width_option
def repro(name: str, output: Path | None, width: int | None) -> int:
    """Write the last counterexample as a small script and as a pytest file.

    Both import your function from its file, so they follow what you change. Files that
    exist are never replaced; the next ones get a number.

    Examples:
        kata repro encode_bpe
        kata repro encode_bpe --output .
    """
    from grader import repro as writer
    from grader.interview import guard

    guard.refuse("repro", name, Path.cwd())
    script, test = writer.write(name, output, Path.cwd())
    shown = [os.path.relpath(path) for path in (script, test)]
    steps = (f"python {shown[0]}", f"pytest {shown[1]}")
    say(f"{shown[0]} makes the call, {shown[1]} tests it.", width, steps)
    return EXIT_PASSED


@click.command("trace")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--text", metavar="T", help="A text, split like GPT-2 splits it.")
@click.option("--file", type=click.Path(path_type=Path), metavar="F", help="A file of text.")
@click.option(
    "--last",
    metavar="NAME",
    shell_complete=kata_names,
    help="The input on which a kata failed last.",
)
@click.option(
    "--merges",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="How many at most.",
)
@click.option("--greatest", is_flag=True, help="The greatest pair wins a tie, not the smallest.")
@click.option("--by-hand", is_flag=True, help="You name each merge; it is checked.")
@width_option
def trace(
    words: tuple[str, ...],
    text: str | None,
    file: Path | None,
    last: str | None,
    merges: int,
    greatest: bool,
    by_hand: bool,
    width: int | None,
) -> int:
    """Show the merges of a training step by step, with what else there was to choose.

    A word may carry its count: tea:6. A symbol that has just been made stands in brackets.
    With --by-hand you name each merge, as an interviewer would have you do.

    Examples:
        kata trace tea:6 teas:2 eat:5 eats:3 seat:4 set:3
        kata trace --text "the cat in the hat" --merges 3
        kata trace --last encode_bpe
        kata trace aaabdaaabac --by-hand
    """
    from grader import trace as tracing
    from grader.interview import guard

    guard.refuse("trace", last, Path.cwd())
    request = tracing.Request(words, text, file, last, merges, greatest, by_hand, width)
    return tracing.trace(request, sys.stdin, sys.stdout, Path.cwd())


@click.command("watch")
@click.argument("name", required=False, shell_complete=kata_names)
@click.option("--poll", is_flag=True, help="Look every 0.1 s instead of being told of changes.")
@click.option("--manual", is_flag=True, help="Run on the key r only.")
@width_option
def watch(name: str | None, poll: bool, manual: bool, width: int | None) -> int:
    """Run a kata again on each save; single keys do the rest.

    Without a name it is the next kata that has not passed. The case that failed last runs
    first, and alone as long as it fails. A save ends the run before, endless loop or not.

    Polling is automatic under WSL and on network mounts.

    Examples:
        kata watch
        kata watch encode_bpe
        kata watch encode_bpe --poll
    """
    from grader import watch as watching
    from grader.interview import guard

    guard.refuse("watch", name, Path.cwd())
    request = watching.Request(name, poll, manual, width)
    return watching.watch(request, sys.stdin, sys.stdout, Path.cwd())


@click.command("progress")
@width_option
def progress(width: int | None) -> int:
    """Show how far you are: attempts, hints, times as a small chart, what is due.

    Example:
        kata progress
    """
    from grader import learning

    return show_view(learning.progress(Path.cwd(), datetime.now(UTC)), width)


@click.command("due")
@width_option
def due(width: int | None) -> int:
    """Show which katas to write again, by spaced repetition.

    A kata that has passed comes back after days, later after weeks: sooner when you needed
    hints or the solution, later when it went at the first run. Reset it and write it anew.

    Example:
        kata due
    """
    from grader import learning

    return show_view(learning.due(Path.cwd(), datetime.now(UTC)), width)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what makes a shell complete commands, options, kata names and corpora.

    Examples:
        eval "$(kata completion bash)"    # in ~/.bashrc
        eval "$(kata completion zsh)"     # in ~/.zshrc, behind compinit
        kata completion fish > ~/.config/fish/completions/kata.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    # The script only names the program; what completes is asked of it later.
    print(made(click.Command("kata"), {}, "kata", "_KATA_COMPLETE").source())
    return EXIT_PASSED


COMMANDS = (
    watch,
    hint,
    next_kata,
    solution,
    reset,
    attempts,
    debug,
    repro,
    trace,
    progress,
    due,
    completion,
)
