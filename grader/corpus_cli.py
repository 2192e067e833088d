"""The commands around corpora: `kata corpus …` and `kata train`."""

from __future__ import annotations

import sys
from pathlib import Path

import rich_click as click

from grader.cliparts import corpora, say, show_view, width_option
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED


@click.group("corpus")
def corpus_group() -> None:
    """Real texts to time and to train on: fetch, add, check and measure them.

    They are kept in one folder for all your projects; KATA_CORPUS_DIR names another.
    """


@corpus_group.command("list")
@width_option
def list_corpora(width: int | None) -> int:
    """List the corpora: which are on this machine, how large they are, on which terms.

    Example: kata corpus list
    """
    from grader import shelf

    return show_view(shelf.listing(), width)


@corpus_group.command("fetch")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=corpora)
@width_option
def fetch(names: tuple[str, ...], width: int | None) -> int:
    """Download corpora from their public homes, check and unpack them.

    A download that broke off goes on where it was. Without a connection, the message says
    where to put the file by hand.

    Examples:
        kata corpus fetch owt-valid
        kata corpus fetch tinystories-train tinystories-valid
    """
    from grader import shelf

    for name in names:
        say(shelf.fetched(name, sys.stderr), width)
    return EXIT_PASSED


@corpus_group.command("add")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="What to call it; without this, the file's own name.")
@width_option
def add(path: Path, name: str | None, width: int | None) -> int:
    """Make a text of yours known by a name, without copying it.

    With the name of a public corpus it has to be that very text.

    Examples:
        kata corpus add ~/texts/novels.txt
        kata corpus add /data/owt_valid.txt --name owt-valid
    """
    from grader import shelf

    say(shelf.added(path, name, sys.stderr), width)
    return EXIT_PASSED


@corpus_group.command("verify")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=corpora)
@width_option
def verify(names: tuple[str, ...], width: int | None) -> int:
    """Check the SHA-256 of corpora: of those you name, or of all that are here.

    Exit codes: 0 all as they should be, 1 one is not.

    Example: kata corpus verify owt-valid
    """
    from grader import shelf

    sound = True
    for sentence, holds in shelf.verified(names, sys.stderr):
        say(sentence, width)
        sound = sound and holds
    return EXIT_PASSED if sound else EXIT_NOT_PASSED


@corpus_group.command("path")
@click.argument("name", shell_complete=corpora)
def path_of(name: str) -> int:
    """Print where a corpus lies, as a plain file for other programs.

    Example: wc "$(kata corpus path embedded)"
    """
    from grader import fetching

    print(fetching.whereabouts(name))
    return EXIT_PASSED


@corpus_group.command("stats")
@click.argument("name", metavar="NAME|PATH", shell_complete=corpora)
@width_option
def stats(name: str, width: int | None) -> int:
    """Count bytes, lines, documents, pre-tokens and pairs; compare with published counts.

    Exit codes: 0 counted, 1 a count differs from a published one.

    Examples:
        kata corpus stats embedded
        kata corpus stats notes.txt
    """
    from grader import shelf

    view, agrees = shelf.stats(name, sys.stderr)
    show_view(view, width)
    return EXIT_PASSED if agrees else EXIT_NOT_PASSED


COMMANDS = (corpus_group,)
