"""Which corpora there are, and where they lie on this machine.

The registry is data that ships with the package. What this machine has is one small JSON
file for each corpus in a folder that all projects share, `KATA_CORPUS_DIR` or the user's
cache: the path of the text, its size and its hash.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from grader.errors import UsageError

FOLDER = Path(__file__).with_name("corpora")
EMBEDDED = "embedded"
VARIABLE = "KATA_CORPUS_DIR"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Archive:
    """What is downloaded for a corpus."""

    url: str
    format: str  # plain, gzip or tar.xz
    bytes: int
    sha256: str

    @property
    def file(self) -> str:
        """The file's own name."""
        return self.url.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Entry:
    """A corpus of the registry. What is not known of its text is None."""

    name: str
    about: str
    licence: str
    bytes: int | None = None
    sha256: str | None = None
    most_bytes: int | None = None  # where `bytes` is not known
    archive: Archive | None = None  # None: it ships with the package
    file: str | None = None  # of the package, where it does
    manifest: str | None = None
    held_out: str | None = None  # the corpus to measure on what was trained on this one
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """The most bytes the text can have."""
        return self.bytes or self.most_bytes or 0


@dataclass(frozen=True, slots=True)
class Holding:
    """A text on this machine, as it was when it was fetched or added."""

    name: str
    path: Path
    bytes: int
    sha256: str
    source: str  # fetched or added


@cache
def entries() -> Mapping[str, Entry]:
    """The registry."""
    tables = tomllib.loads((FOLDER / "registry.toml").read_text(encoding="utf-8"))
    return {name: _entry(name, table) for name, table in tables.items()}


def folder() -> Path:
    """The folder of this machine's corpora, which may not exist yet."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("bpe-kata", appauthor=False)) / "corpora"


def is_name(word: str) -> bool:
    """Whether a word could be the name of a corpus; anything else can only be a path."""
    return _NAME.fullmatch(word) is not None


def names() -> tuple[str, ...]:
    """Every corpus by name: the registry's, then those that were added here."""
    return (*entries(), *(name for name in sorted(_records()) if name not in entries()))


def holding(name: str) -> Holding | None:
    """What this machine has under that name; None when it was never fetched or added.

    Raises `UsageError` when the file has gone or has another size than it had.
    """
    if not is_name(name) or name not in _records():
        return None
    record = folder() / f"{name}.json"
    try:
        data = json.loads(record.read_text(encoding="utf-8"))
        found = Holding(
            name, Path(data["path"]), int(data["bytes"]), str(data["sha256"]), str(data["source"])
        )
    except (OSError, ValueError, TypeError, LookupError):
        raise UsageError(
            f"{record} cannot be read; delete it and fetch or add {name} again."
        ) from None
    again = f"`kata corpus {'fetch' if found.source == 'fetched' else 'add'}` makes it known again"
    if not found.path.is_file():
        raise UsageError(f"{name} is no longer at {found.path}; {again}.")
    if found.path.stat().st_size != found.bytes:
        raise UsageError(f"{found.path} has changed since it became {name}; {again}.")
    return found


def prepared() -> Path:
    """The folder of this machine's corpora, made if need be. Raises `UsageError`."""
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"{place} cannot be made ({reason}); set {VARIABLE} to a folder that can."
        ) from None
    return place


def _records() -> set[str]:
    try:
        return {path.stem for path in folder().glob("*.json") if is_name(path.stem)}
    except OSError:
        return set()


def _entry(name: str, table: dict[str, Any]) -> Entry:
    archive = Archive(**table.pop("archive")) if "archive" in table else None
    return Entry(name, archive=archive, **table)
