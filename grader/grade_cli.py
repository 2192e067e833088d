"""The commands of an instructor: grade forks, verify and explain marks, build for Gradescope."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import rich_click as click

from grader.cliparts import (
    HELP,
    Commands,
    width_option,
)
from grader.errors import EXIT_PASSED


@click.command("grade")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A CSV file with the columns student, repository and, if you like, revision.",
)
@click.option("--rev", "revision", metavar="REV", help="The commit, branch or tag to read.")
@click.option("--katas", multiple=True, metavar="NAME[,NAME]", help="What to grade; all of them.")
@click.option(
    "--deadline",
    metavar="WHEN",
    help="Take the last commit before this time, by committer date.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    envvar="KATA_SEED",
    show_envvar=True,
    metavar="N",
    help="The seed of the inputs; drawn, and shown afterwards, without it.",
)
@click.option(
    "--weights",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file with the points of each kata; 1 each without it.",
)
@click.option(
    "--extra-tests",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Private test_<kata>.py files, run after the hidden suite.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Submissions at a time.")
@click.option("--time-budget", metavar="TIME", help="Begin nothing after this: 90s, 20m, 2h.")
@click.option(
    "--require-isolation",
    type=click.Choice(["none", "partial", "full"]),
    help="Refuse to grade (exit 3) below this; full for the pure katas, partial for the capstone.",
)
@click.option("--timing/--no-timing", default=False, help="Time what passes, too.")
@click.option("--reveal", is_flag=True, help="Show what hidden cases expect.")
@click.option("--fail-on-any", is_flag=True, help="Several forks: exit 1 if any did not pass.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(
        ["text", "json", "junit", "gradescope", "classroom", "github", "csv", "html"]
    ),
    default="text",
    show_default=True,
    help="What to write; see docs/grading.md.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the report to a file, whole or not at all.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where a batch keeps a file for each student, and goes on from; kata-grades.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Grade on the cluster of this Dask scheduler; takes bpe-kata[cluster].",
)
@width_option
def grade(**options: Any) -> int:
    """Grade forks without trusting them: one, a folder of them, or a roster.

    From each, only katas/<kata>.py is taken, as bytes.

    Exit codes of one fork: 0 passed, 1 not passed. Of several: 0 all graded. Of both:
    2 usage, 3 the grader failed, was not allowed to, or ran out of time.

    Examples:
        kata grade .
        kata grade forks/ --jobs 4 --format csv --output marks.csv
        kata grade alice.git --rev main --deadline 2025-03-01T23:59:00+01:00
    """
    from grader import grading

    request = grading.Request(format=options.pop("kind"), **options)
    return grading.run(request, sys.stdout, sys.stderr)


@click.command("verify")
@click.argument("report", type=click.Path(path_type=Path))
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    required=True,
    metavar="PATH",
    help="The fork that was graded.",
)
@click.option("--student", metavar="NAME", help="Whose marks, in a report of several.")
@click.option(
    "--extra-tests",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The private tests that were used.",
)
def verify(report: Path, repo: Path, student: str | None, extra_tests: Path | None) -> int:
    """Grade again from a report's commit and seed, and compare the verdicts.

    Exit codes: 0 the same, 1 a verdict differs, 2 not the files that were graded, 3 other
    versions, with which it cannot be reproduced.

    Example: kata verify kata-grades/ada-1f2e3d4c5b.json --repo forks/ada.git
    """
    from grader import appeal

    return appeal.verify(report, repo, student, extra_tests, sys.stdout)


@click.command("explain")
@click.argument("report", type=click.Path(path_type=Path))
@click.option("--case", required=True, metavar="ID", help="The id of a case, as reports have it.")
@click.option("--student", metavar="NAME", help="Whose, in a report of several.")
@click.option("--kata", "name", metavar="NAME", help="Of which kata, where several have that id.")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Grade again from here, when the report does not hold what was expected.",
)
@width_option
def explain(
    report: Path,
    case: str,
    student: str | None,
    name: str | None,
    repo: Path | None,
    width: int | None,
) -> int:
    """Show a hidden case in full, to the instructor: the test, the call, both values.

    Example: kata explain kata-grades/ada-1f2e3d4c5b.json --case lowest_rank_first
    """
    from grader import appeal

    return appeal.explain(report, case, student, name, repo, sys.stdout, width)


@click.group("gradescope", cls=Commands)
@click.rich_config(help_config=HELP)
def gradescope() -> None:
    """For instructors: an autograder for Gradescope."""


@gradescope.command("build")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path("autograder.zip"),
    show_default=True,
    metavar="FILE",
    help="The zip to write.",
)
@click.option("--katas", multiple=True, metavar="NAME[,NAME]", help="What to grade; all of them.")
@click.option(
    "--weights", type=click.Path(path_type=Path), metavar="FILE", help="Points, as for `grade`."
)
@click.option(
    "--extra-tests",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Private tests, as for `grade`.",
)
@click.option(
    "--require-isolation",
    type=click.Choice(["none", "partial", "full"]),
    help="As for `grade`.",
)
@click.option(
    "--time-budget",
    default="8m",
    show_default=True,
    metavar="TIME",
    help="Gradescope ends a submission after 10 minutes if you set nothing else.",
)
def gradescope_build(**options: Any) -> int:
    """Write the zip that Gradescope takes, with the grader of this checkout inside.

    Example: kata gradescope build --katas encode_bpe,train_bpe --output autograder.zip
    """
    from grader import autograder

    print(autograder.build(autograder.Build(**options)))
    return EXIT_PASSED


COMMANDS = (grade, verify, explain, gradescope)
