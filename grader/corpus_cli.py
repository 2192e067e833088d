"""The commands around corpora: `kata corpus …` and `kata train`."""

from __future__ import annotations

import sys
from pathlib import Path

import rich_click as click

from grader.cliparts import HELP, Commands, corpora, say, show_view, width_option
from grader.errors import EXIT_NOT_PASSED, EXIT_PASSED, UsageError


@click.group("corpus", cls=Commands)
@click.rich_config(help_config=HELP)
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

    Example: kata corpus path embedded
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


@click.command("train")
@click.option(
    "--corpus",
    required=True,
    metavar="NAME|PATH",
    shell_complete=corpora,
    help="The text: a corpus by its name, or a file.",
)
@click.option(
    "--vocab-size",
    type=click.IntRange(min=257),
    metavar="N",
    help="Ids to end up with: 256 bytes, the special tokens, the merges.",
)
@click.option(
    "--special",
    multiple=True,
    metavar="TOKEN",
    help="A special token, as often as there are; <|endoftext|> without it.",
)
@click.option("--no-special", is_flag=True, help="No special token at all.")
@click.option(
    "--solution",
    default="reference",
    show_default=True,
    metavar="reference|record|PATH",
    help="What trains: ours, or your file, in the sandbox.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder to make; without it nothing is saved.",
)
@click.option("--force", is_flag=True, help="Replace the tokenizer in a folder that exists.")
@click.option(
    "--held-out",
    metavar="NAME|PATH",
    shell_complete=corpora,
    help="The text to measure bytes per token on.",
)
@click.option("--twice", is_flag=True, help="Train twice and compare.")
@click.option(
    "--check-published", is_flag=True, help="Compare with what is published for this corpus."
)
@click.option(
    "--memory",
    type=click.IntRange(min=64),
    metavar="MIB",
    help="What each process of your solution may use; the limit of the kata without it.",
)
@width_option
def train(
    corpus: str,
    vocab_size: int | None,
    special: tuple[str, ...],
    no_special: bool,
    solution: str,
    out: Path | None,
    force: bool,
    held_out: str | None,
    twice: bool,
    check_published: bool,
    memory: int | None,
    width: int | None,
) -> int:
    """Train a byte-level tokenizer, save it for other programs, and try it out.

    DIR gets vocab.json and merges.txt as GPT-2 has them, a tokenizer.json for Hugging Face's
    tokenizers, and training.json with what was found. docs/corpora.md says what is tried.

    Exit codes: 0 as it should be, 1 no tokenizer, or not what it should be or is published.

    Examples:
        kata train --corpus embedded --vocab-size 5000 --out my-tokenizer
        kata train --corpus notes.txt --vocab-size 2000 --solution katas
        kata train --corpus tinystories-train --check-published
    """
    from grader import train_desk
    from grader.corpus import SPECIAL
    from grader.interview import guard

    guard.refuse("train", "train_byte_bpe", Path.cwd())
    if special and no_special:
        raise UsageError("Give --special or --no-special, not both.")
    request = train_desk.Request(
        corpus=corpus,
        vocab_size=vocab_size,
        special_tokens=() if no_special else special or (SPECIAL,),
        solution=solution,
        out=out,
        force=force,
        held_out=held_out,
        twice=twice,
        check_published=check_published,
        memory_mib=memory,
        width=width,
    )
    return train_desk.train(request, sys.stdout, sys.stderr)


COMMANDS = (corpus_group, train)
