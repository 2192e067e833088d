"""The command line: parse, call, render, exit code."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import TextIO

import rich_click as click

from grader import (
    __version__,
    bench_cli,
    corpus_cli,
    dev_cli,
    drill_cli,
    grade_cli,
    interview_cli,
    practice_cli,
)
from grader.cliparts import (
    HELP,
    Commands,
    Interrupted,
    corpus_option,
    kata_names,
    name_argument,
    say,
    show_view,
    solutions,
    width_option,
)
from grader.errors import EXIT_BROKEN, EXIT_INTERRUPTED, EXIT_PASSED, EXIT_USAGE, KataError


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.rich_config(help_config=HELP)
@click.version_option(__version__, "-V", "--version", message="bpe-kata %(version)s")
@width_option
@click.pass_context
def kata(ctx: click.Context, width: int | None) -> int:
    """Six katas on byte-pair encoding, with a grader that judges and times your solution.

    `kata` alone shows where you are and the next step.
    """
    if ctx.invoked_subcommand is not None:
        return EXIT_PASSED
    from grader import guide
    from grader.interview import guard

    if katas := guard.asked(Path.cwd()):
        say(f"An interview is open, with {', '.join(katas)} to write.", width, ("kata interview",))
        return EXIT_PASSED
    return show_view(guide.where(Path.cwd()), width)


@kata.command("list")
@width_option
def list_katas(width: int | None) -> int:
    """List the katas with level, minutes and your state of each.

    Example: kata list
    """
    from grader import guide

    return show_view(guide.listing(Path.cwd()), width)


@kata.command("show")
@name_argument
@width_option
def show_kata(name: str, width: int | None) -> int:
    """Print the statement and the visible examples of a kata.

    Example: kata show encode_bpe
    """
    from grader import guide

    return show_view(guide.statement(name, Path.cwd()), width)


@kata.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@width_option
def init(folder: Path, width: int | None) -> int:
    """Make a fresh workspace: the stubs, a README and a pyproject.

    Nothing is overwritten.

    Example: kata init my-katas
    """
    from grader import guide

    return show_view(guide.created(folder), width)


@kata.command("run")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=kata_names)
@click.option("--all", "every", is_flag=True, help="Every kata.")
@click.option(
    "--solution",
    metavar="PATH|reference|mistake:ID",
    shell_complete=solutions,
    help="What to grade: a file, a folder with <kata>.py, the reference, or a known mistake.",
)
@corpus_option
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    envvar="KATA_SEED",
    show_envvar=True,
    metavar="N",
    help="The seed of the inputs, to repeat a run.",
)
@click.option("--timing/--no-timing", default=None, help="Time always, or never; else on a pass.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A screen, or the data described in docs/commands.md.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the report to a file, whole or not at all.",
)
@click.option("--all-failures", is_flag=True, help="Show each failing case, not only the first.")
@click.option(
    "--require-isolation",
    type=click.Choice(["partial", "full"]),
    help="Refuse to grade (exit 3) where the sandbox is below this.",
)
@width_option
def run(
    names: tuple[str, ...],
    every: bool,
    solution: str | None,
    corpus: str | None,
    seed: int | None,
    timing: bool | None,
    kind: str,
    output: Path | None,
    all_failures: bool,
    require_isolation: str | None,
    width: int | None,
) -> int:
    """Grade what you wrote, and time it on a real text.

    Exit codes: 0 passed, 1 not passed, 2 usage, 3 the grader itself failed.

    Examples:
        kata run encode_bpe
        kata run train_bpe --solution other.py --seed 7
        kata run --all --format json --output report.json
    """
    from grader import desk
    from grader.interview import guard

    for name in names or [None] * every:
        guard.refuse("run", name, Path.cwd())
    request = desk.Request(
        names,
        every,
        solution,
        corpus,
        seed,
        timing,
        kind,
        output,
        all_failures,
        width,
        require_isolation,
    )
    return desk.run(request, sys.stdout, sys.stderr)


@kata.command("doctor")
@width_option
def doctor(width: int | None) -> int:
    """Show what the sandbox of this machine keeps a submission from.

    A child of each kind tries everything it must not be able to do. Exit code 3 if a pure
    kata is not fully isolated or the capstone not partially.

    Example: kata doctor
    """
    from grader import doctor as machine

    return machine.examine(sys.stdout, width)


for group in (practice_cli, bench_cli, corpus_cli, drill_cli, interview_cli, grade_cli, dev_cli):
    for added_command in group.COMMANDS:
        kata.add_command(added_command)


def main() -> int:
    """The console script `kata`: everything that stops it is one sentence and a code."""
    _settle(sys.stdout)
    _settle(sys.stderr)
    try:
        code = _guarded(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        from grader.render.console import close_pipe

        close_pipe(sys.stdout)
        code = EXIT_PASSED
    return code


def _guarded(argv: list[str]) -> int:
    try:
        result = kata.main(argv, prog_name="kata", standalone_mode=False)
        return result if isinstance(result, int) else EXIT_PASSED
    except click.ClickException as error:
        return _usage(error)
    except KataError as error:
        _say(str(error))
        return error.exit_code
    except (Interrupted, KeyboardInterrupt, click.Abort):
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the terminal has written ^C
        _say("interrupted.")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        return _fault(error)


def _usage(error: click.ClickException) -> int:
    ctx = getattr(error, "ctx", None)
    command = ctx.command_path if ctx else "kata"
    _say(f"{error.format_message()} See `{command} --help`.")
    return EXIT_USAGE


def _fault(error: Exception) -> int:
    """Our own mistake: never the learner's, and never a wall of traceback unasked."""
    if os.environ.get("KATA_DEBUG") == "1":
        traceback.print_exc()
    _say(
        f"the grader itself failed ({type(error).__name__}: {error}); this is not your fault. "
        "Please report it with what the same command prints under KATA_DEBUG=1."
    )
    return EXIT_BROKEN


def _say(sentence: str) -> None:
    from grader.render.escape import readable

    plain = not (sys.stderr.encoding or "utf-8").lower().startswith("utf")
    print("kata: " + readable(" ".join(sentence.split()), ascii_only=plain), file=sys.stderr)


def _settle(stream: TextIO) -> None:
    """Never fail on a character; a locale of C asked for ASCII, though Python prints UTF-8."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None:
        return
    asked = [os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    locale = next((value for value in asked if value), "")
    told = "PYTHONIOENCODING" in os.environ or os.environ.get("PYTHONUTF8") == "1"
    if locale in ("C", "POSIX") and not told:
        reconfigure(encoding="ascii", errors="backslashreplace")
    else:
        reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
