"""The commands of the mock interview: parse, call, show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import rich_click as click

from grader.cliparts import HELP, Commands, confirmed, show_view, width_option, yes_option
from grader.errors import EXIT_PASSED

plan_option = click.option(
    "--katas", multiple=True, metavar="NAME[,NAME]", help="What to write, in order."
)
minutes_option = click.option(
    "--minutes", type=click.IntRange(min=1, max=600), metavar="N", help="How long it is in all."
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Decides the katas, the questions and the hidden inputs.",
)
strict_option = click.option(
    "--strict/--practice", default=None, help="Without pauses, or with them; else as the plan says."
)
session_argument = click.argument("session", required=False, metavar="[SESSION]")


@click.group(
    "interview",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.rich_config(help_config=HELP)
@width_option
@click.pass_context
def interview(ctx: click.Context, width: int | None) -> int:
    """A timed mock interview: explain, write, take it further, discuss; then a report.

    `kata interview` alone shows the clock, the stage and what is allowed: live on a terminal,
    until Enter; one line in a pipe.

    Example: kata interview start --plan screen
    """
    if ctx.invoked_subcommand is not None:
        return EXIT_PASSED
    from grader.interview import desk

    return desk.status(sys.stdin, sys.stdout, sys.stderr, width, Path.cwd())


@interview.command("start")
@click.option(
    "--plan",
    default="screen",
    show_default=True,
    metavar="screen|onsite|FILE",
    help="The stages: a plan that ships, or a file.",
)
@plan_option
@minutes_option
@seed_option
@strict_option
@yes_option
@width_option
def start(width: int | None, yes: bool, **options: Any) -> int:
    """Begin: fresh stubs are put in place, and the clock starts.

    What stands in the files now is kept as an attempt first. The clock is the time of day, so
    it goes on when the terminal is closed.

    Examples:
        kata interview start
        kata interview start --plan onsite --katas train_bpe,merge_and_update
        kata interview start --plan from-the-interviewer.toml --strict
    """
    from grader.interview import desk

    view, begin = desk.prepared(desk.Choice(**options), Path.cwd())
    if not yes:
        show_view(view, width)
        show_view("\n", width)
        if not confirmed("Start the clock?", yes):
            return EXIT_PASSED
    return show_all(begin(), width)


@interview.command("run")
@width_option
def run(width: int | None) -> int:
    """Run the visible examples on your file.

    Exit codes: 0 they hold, 1 they do not.

    Example: kata interview run
    """
    from grader.interview import desk

    return desk.run(sys.stdout, sys.stderr, width, Path.cwd())


@interview.command("submit")
@width_option
def submit(width: int | None) -> int:
    """Put your file to the hidden suite: how many cases pass, and not which.

    A version has one verdict, however often it is submitted. In a stage of follow-ups, after a
    pass, your file is put to the check of the follow-up instead.

    Exit codes: 0 passed, 1 not passed.

    Example: kata interview submit
    """
    from grader.interview import desk

    return desk.submit(sys.stdout, sys.stderr, width, Path.cwd())


@interview.command("hint")
@click.option("--again", is_flag=True, help="Show the hints you have taken, and no new one.")
@yes_option
@width_option
def hint(again: bool, yes: bool, width: int | None) -> int:
    """Take the next hint; it costs a mark and stands in the report.

    Examples:
        kata interview hint
        kata interview hint --again
    """
    from grader.interview import desk

    if again:
        return show_view(desk.hints_again(Path.cwd()), width)
    question, take = desk.next_hint(Path.cwd())
    if not confirmed(question, yes):
        return EXIT_PASSED
    return show_view(take(), width)


@interview.command("answer")
@click.option("--text", metavar="T", help="Your answer, where there is no terminal to type on.")
@click.option("--points", metavar="1,3|none", help="Which points were said, by their numbers.")
@click.option("--skip", is_flag=True, help="Leave this one and go to the next.")
@click.option(
    "--tick/--no-tick",
    default=None,
    help="Show the points of a good answer and tick off; not in a strict interview.",
)
@width_option
def answer(**options: Any) -> int:
    """Answer the next question or follow-up: typed, or spoken aloud.

    In practice you then see the points a good answer makes and tick off what you said. In a
    strict interview the interviewer does, with `kata interview mark`.

    Examples:
        kata interview answer
        kata interview answer --text "It learns an ordered list of merges." --points 1
        kata interview answer --skip
    """
    from grader.interview import desk

    return desk.answer(sys.stdin, sys.stdout, sys.stderr, Path.cwd(), **options)


@interview.command("pause")
@width_option
def pause(width: int | None) -> int:
    """Stop the clock; not in a strict interview.

    Example: kata interview pause
    """
    from grader.interview import desk

    return show_all(desk.pause(sys.stderr, Path.cwd()), width)


@interview.command("resume")
@width_option
def resume(width: int | None) -> int:
    """Let the clock go on.

    Example: kata interview resume
    """
    from grader.interview import desk

    return show_all(desk.resume(sys.stderr, Path.cwd()), width)


@interview.command("next")
@width_option
def following(width: int | None) -> int:
    """Go on to the next stage; there is no way back.

    Example: kata interview next
    """
    from grader.interview import desk

    return show_all(desk.following(sys.stderr, Path.cwd()), width)


@interview.command("finish")
@yes_option
@width_option
def finish(yes: bool, width: int | None) -> int:
    """End the interview: your files are taken as they are and judged.

    Example: kata interview finish
    """
    from grader.interview import desk

    if not confirmed("End the interview now?", yes):
        return EXIT_PASSED
    return desk.finish(sys.stdout, sys.stderr, width, Path.cwd())


@interview.command("report")
@session_argument
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "md", "html", "json"]),
    default="text",
    show_default=True,
    help="A screen, a page, or the data.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the report to a file, whole or not at all.",
)
@width_option
def report(session: str | None, kind: str, output: Path | None, width: int | None) -> int:
    """Show what came of an interview: timeline, verdicts, answers, rubric.

    SESSION is the file that a candidate handed back; without it, the last interview here.

    Examples:
        kata interview report
        kata interview report --format html --output report.html
        kata interview report ada.jsonl --format md
    """
    from grader.interview import afterwards

    return afterwards.show_report(session, kind, output, sys.stdout, sys.stderr, width, Path.cwd())


@interview.command("mark")
@session_argument
@click.option("--correctness", type=click.IntRange(0, 4), metavar="0-4", help="Your mark.")
@click.option("--edge-cases", type=click.IntRange(0, 4), metavar="0-4", help="Your mark.")
@click.option("--complexity", type=click.IntRange(0, 4), metavar="0-4", help="Your mark.")
@click.option("--testing", type=click.IntRange(0, 4), metavar="0-4", help="Your mark.")
@click.option("--communication", type=click.IntRange(0, 4), metavar="0-4", help="Your mark.")
@click.option("--note", metavar="TEXT", help="A note for the report.")
@click.option("--answer", metavar="ID", help="A question of the report, to tick off with --points.")
@click.option("--points", metavar="1,3|none", help="The points that answer made.")
@width_option
def mark(session: str | None, width: int | None, **options: Any) -> int:
    """For the interviewer: marks, notes and ticks. Yours count before the evidence.

    They are added to the session file. What stood there before is not changed.

    Examples:
        kata interview mark ada.jsonl --complexity 3 --note "Found the heap without help."
        kata interview mark ada.jsonl --answer what-is-bpe --points 1,3
    """
    from grader.interview import afterwards

    return show_view(afterwards.mark(session, Path.cwd(), sys.stderr, **options), width)


@interview.command("export")
@session_argument
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The session file to hand back.",
)
@width_option
def export(session: str | None, output: Path, width: int | None) -> int:
    """Write an interview that is over into one file, to hand it back.

    It holds the journal with every version of your files, and no path or name of yours.

    Example: kata interview export --output ada.jsonl
    """
    from grader.interview import afterwards

    return show_view(afterwards.export(session, output, sys.stderr, Path.cwd()), width)


@interview.command("verify")
@session_argument
@click.option("--seal", metavar="HEX", help="The seal that was told at the end.")
@click.option("--again", is_flag=True, help="Also judge every submit again, and compare.")
@width_option
def verify(session: str | None, seal: str | None, again: bool, width: int | None) -> int:
    """Check that a journal is whole: no line edited, missing or put in, no clock set.

    Exit codes: 0 nothing was found, 1 something was.

    Examples:
        kata interview verify ada.jsonl
        kata interview verify ada.jsonl --seal 3f9a0c21 --again
    """
    from grader.interview import afterwards

    return afterwards.verify(session, seal, again, sys.stdout, sys.stderr, width, Path.cwd())


@interview.command("plan")
@click.argument("name", default="screen", metavar="[screen|onsite|FILE]")
@plan_option
@minutes_option
@seed_option
@strict_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the plan to a file, whole or not at all.",
)
def plan(name: str, output: Path | None, **options: Any) -> int:
    """Print a plan, to copy and change; with options, one to hand out.

    With a seed, everybody who starts with it gets the same katas and questions.

    Examples:
        kata interview plan onsite --output mine.toml
        kata interview plan screen --seed 7 --strict --output handout.toml
    """
    from grader.interview import afterwards, desk

    choice = desk.Choice(plan=name, **options)
    afterwards.make_plan(choice.written(), name, output, sys.stdout)
    return EXIT_PASSED


def show_all(views: list[Any], width: int | None) -> int:
    """Print views one below the other."""
    for view in views:
        show_view(view, width)
    return EXIT_PASSED


COMMANDS = (interview,)
