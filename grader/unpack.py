"""An archive becomes one text, piece by piece, never more than the text may have."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from grader.errors import UsageError

PIECE = 1 << 20
SEPARATOR = b"<|endoftext|>"
DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, tarfile.TarError)


class Damaged(UsageError):
    """The archive is not what it should be; the sentence says how."""


def unpack(
    archive: Path,
    format: str,
    output: Path,
    most: int,
    advance: Callable[[int], None] = lambda done: None,
) -> tuple[int, str]:
    """Write the text in `archive` to `output`; its size in bytes and its SHA-256.

    `format` is gzip or tar.xz. Raises `Damaged`, and leaves nothing, when it cannot be
    read to its end or holds more than `most` bytes. `advance` is told the bytes written.
    """
    try:
        return _written(FORMATS[format](archive), archive, output, most, advance)
    except BaseException as error:
        output.unlink(missing_ok=True)
        if isinstance(error, DAMAGE):
            raise Damaged(f"{archive} is damaged or cut off; delete it, fetch it again.") from None
        if isinstance(error, OSError):
            reason = error.strerror or error
            raise UsageError(f"{archive} cannot be unpacked: {reason}.") from None
        raise


def _written(
    pieces: Iterator[bytes], archive: Path, output: Path, most: int, advance: Callable[[int], None]
) -> tuple[int, str]:
    done, digest = 0, hashlib.sha256()
    with output.open("wb") as file:
        for piece in pieces:
            done += len(piece)
            if done > most:
                raise Damaged(
                    f"{archive} holds more than the registered {most:,} bytes of text, so it was "
                    "not unpacked; delete it."
                )
            digest.update(piece)
            file.write(piece)
            advance(done)
    return done, digest.hexdigest()


def _gzip(path: Path) -> Iterator[bytes]:
    with gzip.open(path) as file:
        yield from _pieces(file)


def _tar_xz(path: Path) -> Iterator[bytes]:
    """The documents of a tar of texts, or of tars of texts, in its order, a separator each."""
    with lzma.open(path) as file, tarfile.open(fileobj=file, mode="r|") as outer:
        yield from _documents(outer)


def _documents(tar: tarfile.TarFile) -> Iterator[bytes]:
    """A tar is read as a stream: in the order it has, holding one document at a time."""
    for member in tar:
        inner = tar.extractfile(member) if member.isfile() else None
        if inner is None or Path(member.name).name.startswith("."):
            continue
        if member.name.endswith(".xz"):
            with lzma.open(inner) as file, tarfile.open(fileobj=file, mode="r|") as nested:
                yield from _documents(nested)
        elif member.name.endswith(".txt"):
            yield from _pieces(inner)
            yield SEPARATOR


def _pieces(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


FORMATS: dict[str, Callable[[Path], Iterator[bytes]]] = {
    "gzip": _gzip,
    "tar.xz": _tar_xz,
}
