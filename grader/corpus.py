"""Texts to train and to time on: one of the library by its name, or any file by its path."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from grader import library
from grader.errors import GraderFault, UsageError

SPECIAL = "<|endoftext|>"
#: How GPT-2 splits a text: contractions, letters, numbers, the rest, white space.
PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
#: The small katas read this much of a corpus. Counting all of the embedded one would cost
#: more than the timing itself.
SAMPLE_BYTES = 1_200_000

_LOOK_BYTES = 1 << 16
_MOST_INVALID = 0.05


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text by its name. Nothing of it is read before it is needed."""

    name: str
    size: int  # bytes
    path: Path | None = None  # None: it ships with the package


def open_corpus(name: str | Path) -> Corpus:
    """The corpus of that name, or the file at that path.

    Raises `UsageError` when there is none, or it cannot be read, or it is not text.
    """
    word = str(name)
    if word == library.EMBEDDED:
        return Corpus(word, library.entries()[word].room)
    if not library.is_name(word):
        return _open_file(Path(name))
    if word not in library.entries() and Path(name).exists():
        return _open_file(Path(name))
    if found := library.holding(word):
        return replace(_open_file(found.path), name=word)
    if word in library.entries():
        raise UsageError(_not_here(library.entries()[word]))
    return _open_file(Path(name))


def _not_here(entry: library.Entry) -> str:
    assert entry.archive is not None
    return (
        f"{entry.name} is not on this machine; `kata corpus fetch {entry.name}` downloads "
        f"{megabytes(entry.archive.bytes)}."
    )


@cache
def embedded() -> bytes:
    """The embedded corpus, unpacked and checked against its hash."""
    entry = library.entries()[library.EMBEDDED]
    data = _unpack(library.FOLDER / str(entry.file))
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise GraderFault("The embedded corpus is damaged; reinstall bpe-kata.")
    return data


def read(corpus: Corpus, limit: int | None = None) -> bytes:
    """The corpus, or its first `limit` bytes."""
    if corpus.path is None:
        return embedded()[:limit]
    try:
        with corpus.path.open("rb") as file:
            return file.read(-1 if limit is None else limit)
    except OSError as error:
        raise _unreadable(corpus.path, error) from None


def sample(corpus: Corpus, limit: int = SAMPLE_BYTES) -> str:
    """The text of the first `limit` bytes; bytes that are not UTF-8 are ignored."""
    return read(corpus, limit).decode("utf-8", "ignore")


def documents(text: str) -> Iterator[str]:
    """The text between special tokens, without the empty ones."""
    return (document for document in text.split(SPECIAL) if document)


def word_table(text: str) -> Counter[str]:
    """The distinct pre-tokens of a text with their counts, in order of appearance."""
    import regex

    split = regex.compile(PATTERN).findall
    table: Counter[str] = Counter()
    for document in documents(text):
        table.update(split(document))
    return table


def megabytes(size: int) -> str:
    """A size to read: `130 kB`, `4.9 MB`, `300 MB`, `11.9 GB`."""
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if size >= unit:
            return f"{size / unit:.{1 if size < 100 * unit else 0}f} {name}"
    return f"{size / 1000:.0f} kB" if size >= 1000 else f"{size} bytes"


def _unpack(path: Path) -> bytes:
    try:
        import lzma

        return lzma.decompress(path.read_bytes())
    except ImportError:
        raise GraderFault("This Python cannot read .xz files; use one built with lzma.") from None
    except (OSError, lzma.LZMAError):
        raise GraderFault("The embedded corpus is damaged; reinstall bpe-kata.") from None


def _open_file(path: Path) -> Corpus:
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the path of a text file.")
    if not path.exists():
        raise UsageError(
            f"There is no corpus {str(path)!r}: "
            f"it is neither a file nor one of the known ones ({', '.join(library.names())})."
        )
    if not path.is_file():
        raise UsageError(f"{path} is not a regular file; give the path of a text file.")
    corpus = Corpus(path.name, path.stat().st_size, path.resolve())
    _check_text(path, read(corpus, _LOOK_BYTES))
    return corpus


def _check_text(path: Path, head: bytes) -> None:
    if not head:
        raise UsageError(f"{path} is empty; give a file with text in it.")
    invalid = head.decode("utf-8", "replace").count("\N{REPLACEMENT CHARACTER}")
    if b"\0" in head or invalid > _MOST_INVALID * len(head):
        raise UsageError(f"{path} does not look like UTF-8 text; give a plain text file.")


def _unreadable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be read ({error.strerror}); check its permissions.")
