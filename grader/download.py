"""One file from its public address: resumed where it broke off, checked by its hash.

`pooch` checks the hash and puts the file into place. What it downloads with is ours, since
its own downloader begins anew each time, and some corpora have gigabytes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.library import Archive

#: Bytes read at a time; so many at most are lost when a connection ends.
PIECE = 1 << 14
#: Attempts in a row that bring nothing; one that brings something starts the count again.
ATTEMPTS = 3
TIMEOUT_S = (15, 60)  # to connect, and between two pieces
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class BrokenOff(Exception):
    """The connection ended early or never was; the message says why. What came is kept."""


class Unusable(Exception):
    """The server offers something else than the registry says; the sentence says what."""


@dataclass(frozen=True, slots=True)
class Download:
    """One download on its way. `advance` is told the bytes on disk."""

    archive: Archive
    part: Path  # what has come so far
    advance: Callable[[int], None]
    pause: Callable[[float], None] = time.sleep

    def __call__(self, url: str, output: str, pooch: Any) -> None:
        """Bring the whole file to `output`: the signature that pooch calls."""
        with _session(url) as session:
            failed = 0
            while (have := self._have()) < self.archive.bytes:
                try:
                    self._more(session, have)
                except BrokenOff:
                    failed = 0 if self._have() > have else failed + 1
                    if failed == ATTEMPTS:
                        raise
                    self.pause(2.0**failed)
        os.replace(self.part, output)

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _more(self, session: Any, have: int) -> None:
        """Add to the part until the file is whole. Raises `BrokenOff`, `Unusable`."""
        import requests

        # Without `identity` a server may pack the file once more, and no length would fit.
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
        try:
            with session.get(
                self.archive.url, headers=headers, stream=True, timeout=TIMEOUT_S
            ) as reply:
                start = _start(reply, have)
                self._check_length(reply, start)
                with self.part.open("r+b" if start else "wb") as file:
                    file.truncate(start)
                    file.seek(start)
                    self._write(reply.iter_content(PIECE), file, start)
        except (requests.exceptions.InvalidSchema, requests.exceptions.InvalidURL):
            raise Unusable("the server sends us on to an address that is not https") from None
        except requests.exceptions.TooManyRedirects:
            raise Unusable("the server sends us in circles") from None
        except requests.exceptions.RequestException:
            raise BrokenOff("there is no connection") from None

    def _check_length(self, reply: Any, start: int) -> None:
        said = reply.headers.get("Content-Length", "")
        if said.isascii() and said.isdigit() and start + int(said) != self.archive.bytes:
            raise Unusable(
                f"the server has a file of {start + int(said):,} bytes where "
                f"{self.archive.bytes:,} are registered"
            )

    def _write(self, pieces: Iterator[bytes], file: Any, done: int) -> None:
        for piece in pieces:
            done += len(piece)
            if done > self.archive.bytes:
                self.part.unlink()
                raise Unusable(f"more than the registered {self.archive.bytes:,} bytes came")
            file.write(piece)
            self.advance(done)
        if done < self.archive.bytes:
            raise BrokenOff("the server ended early")


def download(
    archive: Archive,
    place: Path,
    advance: Callable[[int], None] = lambda done: None,
    pause: Callable[[float], None] = time.sleep,
) -> Path:
    """The archive in the folder `place`, downloaded unless it lies there whole.

    Raises `UsageError`: what stood in the way, and how to do it by hand.
    """
    import pooch

    part, whole = place / f"{archive.file}.part", place / archive.file
    if whole.exists() and whole.stat().st_size != archive.bytes:
        raise UsageError(
            f"{whole} has {whole.stat().st_size:,} bytes where {archive.bytes:,} are registered; "
            "delete it, or put the right file there."
        )
    pooch.get_logger().setLevel("ERROR")
    try:
        pooch.retrieve(
            archive.url,
            known_hash=f"sha256:{archive.sha256}",
            fname=archive.file,
            path=place,
            downloader=Download(archive, part, advance, pause),
        )
    except BrokenOff as error:
        have = part.stat().st_size if part.exists() else 0
        told = (
            f"The download broke off after {have:,} of {archive.bytes:,} bytes ({error}); the same "
            "command goes on there."
            if have
            else f"{urlsplit(archive.url).hostname} cannot be reached ({error})."
        )
        raise UsageError(f"{told} {by_hand(archive, place)}") from None
    except Unusable as error:
        raise UsageError(f"The download is of no use: {error}. {by_hand(archive, place)}") from None
    except ValueError:  # by pooch, which has removed the file
        raise UsageError(
            f"The download is of no use: its SHA-256 is not the registered one, so it was "
            f"deleted. {by_hand(archive, place)}"
        ) from None
    return whole


def by_hand(archive: Archive, place: Path) -> str:
    """How to do without the download."""
    return (
        f"By hand: get {archive.url} elsewhere, put it at {place / archive.file}, "
        "and run the command again."
    )


@contextmanager
def _session(url: str) -> Iterator[Any]:
    """A session that is never led from https to anything else, nor to a file."""
    import requests

    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in _LOOPBACK:
        raise Unusable("its address is not https")
    with requests.Session() as session:
        if parts.scheme == "https":
            session.adapters.pop("http://")
        yield session


def _start(reply: Any, have: int) -> int:
    """The byte from which the reply goes on. Raises `BrokenOff`, `Unusable`."""
    if reply.status_code == 206:
        sent = reply.headers.get("Content-Range", "")
        if not sent.startswith(f"bytes {have}-"):
            raise Unusable("the server sends another part than it was asked for")
        return have
    if reply.status_code == 200:  # it cannot resume, so from the beginning
        return 0
    if reply.status_code in (408, 425, 429) or reply.status_code >= 500:
        raise BrokenOff(f"the server answers {reply.status_code}")
    raise Unusable(f"the server answers {reply.status_code}")
