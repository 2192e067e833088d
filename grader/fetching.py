"""Bring a corpus to this machine, make one known that is here, and check what it has."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from grader import corpus, library
from grader.corpus import megabytes
from grader.download import download
from grader.errors import UsageError
from grader.library import Entry, Holding
from grader.unpack import unpack
from grader.workspace import write_atomically

Told = Callable[[str, int, int], None]  # what is going on, bytes done, bytes in all
_PIECE = 1 << 20


def silent(what: str, done: int, total: int) -> None:
    """Nobody listens."""


def fetch(
    entry: Entry, told: Told = silent, pause: Callable[[float], None] = time.sleep
) -> tuple[Holding, bool]:
    """The corpus on this machine, downloaded if need be, and whether it was here already.

    The archive is kept until the text is whole, so that a download that broke off goes on.
    Raises `UsageError`: no connection, no room, or not what is registered.
    """
    archive, place = entry.archive, library.prepared()
    if archive is None:
        raise UsageError(f"{entry.name} ships with the package; there is nothing to fetch.")
    with _alone(entry.name, place):
        if found := _still_here(entry.name):
            return found, True
        _check_room(entry, place)
        packed = download(
            archive, place, lambda done: told("downloading", done, archive.bytes), pause
        )
        text = place / f"{entry.name}.txt"
        if archive.format == "plain":
            size, digest = archive.bytes, archive.sha256
            os.replace(packed, text)
        else:
            size, digest = _unpacked(entry, packed, text, told)
        return _remember(Holding(entry.name, text, size, digest, "fetched")), False


def _unpacked(entry: Entry, packed: Path, text: Path, told: Told) -> tuple[int, str]:
    """Unpack aside, check, put into place; then the archive is needed no more."""
    assert entry.archive is not None
    aside = text.with_suffix(".unpacked")

    def advance(done: int) -> None:
        told("unpacking", done, entry.room)

    try:
        size, digest = unpack(packed, entry.archive.format, aside, entry.room, advance)
        _check_registered(entry, aside, size, digest)
        os.replace(aside, text)
    finally:
        aside.unlink(missing_ok=True)
    packed.unlink()
    return size, digest


def add(path: Path, name: str | None = None, told: Told = silent) -> Holding:
    """Make a text known by a name, without copying it.

    With the name of the registry it must be that very text. Raises `UsageError`.
    """
    opened = corpus.open_corpus(path.absolute())
    assert opened.path is not None
    name = path.stem if name is None else name
    if not library.is_name(name):
        raise UsageError(
            f"{name!r} cannot be the name of a corpus; give --name of letters, digits, - and _."
        )
    if name == library.EMBEDDED:
        raise UsageError(f"{name} is the corpus that ships with the package; give another --name.")
    size, digest = hashed(opened.path, told)
    if entry := library.entries().get(name):
        _check_registered(entry, path, size, digest)
    with _alone(name, library.prepared()):
        return _remember(Holding(name, opened.path, size, digest, "added"))


def verify(name: str, told: Told = silent) -> str | None:
    """None when the text still has its hash; else what is wrong, in a sentence."""
    if name == library.EMBEDDED:
        corpus.embedded()  # raises when it is damaged
        return None
    found = library.holding(name)
    if found is None:
        raise UsageError(
            f"{name} is not on this machine; `kata corpus list` shows which corpora are."
        )
    _, digest = hashed(found.path, told)
    entry = library.entries().get(name)
    expected = (entry and entry.sha256) or found.sha256
    if digest == expected:
        return None
    return (
        f"{found.path} is not {name} any more: its SHA-256 is {digest}, not {expected}; "
        "delete it and fetch or add it again."
    )


def whereabouts(name: str) -> Path:
    """The text as a file. The embedded corpus is unpacked into the cache for it."""
    opened = corpus.open_corpus(name)
    if opened.path is not None:
        return opened.path
    path = library.prepared() / f"{library.EMBEDDED}.txt"
    if not path.is_file() or path.stat().st_size != opened.size:
        write_atomically(path, corpus.embedded())
    return path


def hashed(path: Path, told: Told = silent) -> tuple[int, str]:
    """Size and SHA-256 of a file, read in pieces."""
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                done += len(piece)
                told("hashing", done, total)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from None
    return done, digest.hexdigest()


def _still_here(name: str) -> Holding | None:
    """What is held; None also when it has gone or changed, which fetching mends."""
    try:
        return library.holding(name)
    except UsageError:
        return None


def _check_room(entry: Entry, place: Path) -> None:
    """Raise before a download that cannot end well."""
    archive = entry.archive
    assert archive is not None
    text = 0 if archive.format == "plain" else entry.room
    here = sum(
        path.stat().st_size
        for path in (place / archive.file, place / f"{archive.file}.part")
        if path.exists()
    )
    needed, free = max(archive.bytes - here, 0) + text, shutil.disk_usage(place).free
    if needed > free:
        raise UsageError(
            f"{entry.name} needs {megabytes(needed)} in {place}, where {megabytes(free)} are free; "
            f"make room, or set {library.VARIABLE} to another folder."
        )


def _check_registered(entry: Entry, path: Path, size: int, digest: str) -> None:
    """Raise for a text that is not the registered one, as far as that is known."""
    if entry.bytes is not None and size != entry.bytes:
        raise UsageError(
            f"{path} has {size:,} bytes where {entry.name} has {entry.bytes:,}; it is another text."
        )
    if entry.sha256 is not None and digest != entry.sha256:
        raise UsageError(
            f"{path} has the SHA-256 {digest}, and {entry.name} has {entry.sha256}; "
            "it is another text."
        )


def _remember(found: Holding) -> Holding:
    data = json.dumps({**asdict(found), "path": str(found.path)}, indent=1) + "\n"
    write_atomically(library.folder() / f"{found.name}.json", data.encode())
    return found


@contextmanager
def _alone(name: str, place: Path) -> Iterator[None]:
    """One process at a time works on a corpus. The lock ends with the process."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where two fetches may disturb each other
        yield
        return
    with (place / f".{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"Another process is at work on {name} at this moment; wait for it."
            ) from None
        yield
