"""The hash of everything that decides a verdict besides the submission, the seed and versions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from grader import catalog
from grader.model import Kata


@cache
def of_suite(kata: Kata, extra: tuple[Path, ...] = (), texts: tuple[bytes, ...] = ()) -> str:
    """SHA-256 over the suite, what it draws from, the reference, the card, private tests.

    Those are files in `extra`, or their contents in `texts`.
    """
    places = catalog.places()
    own = [
        kata.suite,
        places.suites / "strategies.py",
        kata.reference,
        kata.reference.with_suffix(".toml"),
    ]
    files = [path.read_bytes() for path in (*own, *extra) if path.is_file()]
    return of_texts([*files, *texts])


def of_texts(texts: Sequence[bytes]) -> str:
    """One hash of several texts in order, whatever their line ends."""
    digest = hashlib.sha256()
    for text in texts:
        plain = text.replace(b"\r\n", b"\n")
        digest.update(len(plain).to_bytes(8, "big") + plain)
    return digest.hexdigest()
