"""What the product remembers of a learner: a log of events that only ever grows.

    .kata/journal.jsonl              one JSON object a line; the first names the format
    .kata/attempts/<kata>/<sha>.py   each version that was graded, byte for byte

A version is on disk before it is judged. A line that a crash has torn is skipped, and a
version without a line still counts. Nothing in here is an absolute path, so the folder
can be moved.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from grader.appendlog import append, locked
from grader.errors import UsageError
from grader.workspace import write_atomically

FORMAT = "kata-journal/1"
_VERSION = re.compile(r"kata-journal/(\d+)")
_SHA = re.compile(r"[0-9a-f]{64}")


class StateTooNew(UsageError):
    """The state was written by a later version; it is left alone."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a kata; `kind` says which, `data` holds its facts."""

    at: datetime  # UTC
    kind: str  # kept, graded, hint, solution, reset or restored; others are skipped by readers
    kata: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One version of a kata's file and what became of it."""

    number: int
    at: datetime  # when it was first kept
    sha256: str
    path: Path
    outcome: str | None  # of its last run; None when it was never judged to the end
    ratio: float | None  # its best time beside the reference
    failed: str | None  # the title of the first failing case

    def source(self) -> bytes:
        return self.path.read_bytes()


@dataclass(frozen=True, slots=True)
class Journal:
    """The log of one workspace, by its root folder."""

    root: Path

    @property
    def folder(self) -> Path:
        return self.root / ".kata"

    @property
    def file(self) -> Path:
        return self.folder / "journal.jsonl"

    def events(self, kata: str | None = None) -> list[Event]:
        """Every event, oldest first, or those of one kata. Raises `StateTooNew`."""
        try:
            lines = self.file.read_bytes().splitlines()
        except OSError:
            return []
        if lines:
            self._check(lines[0])
        found = [event for line in lines for event in [_parsed(line)] if event]
        return [event for event in found if kata in (None, event.kata)]

    def check(self) -> None:
        """Raise `StateTooNew` for a log of a later version."""
        with suppress(OSError), self.file.open("rb") as file:
            self._check(file.readline())

    def add(self, kind: str, kata: str, at: datetime | None = None, **data: Any) -> None:
        """Append one event. Raises `StateTooNew`, and `OSError` where nothing can be written."""
        moment = (at or datetime.now(UTC)).astimezone(UTC)
        stamp = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        entry = {"at": stamp, "event": kind, "kata": kata, **data}
        line = json.dumps(entry, ensure_ascii=True).encode() + b"\n"
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / "lock"):
            if not os.path.lexists(self.file):
                write_atomically(self.file, json.dumps({"format": FORMAT}).encode() + b"\n")
            self.check()
            append(self.file, line)

    def keep(self, kata: str, source: bytes, at: datetime | None = None) -> bool:
        """Put a version aside unless it is there; True when it is new."""
        self.check()
        digest = sha256(source).hexdigest()
        path = self._version(kata, digest)
        known = any(e.kind == "kept" and e.data.get("sha256") == digest for e in self.events(kata))
        if path.is_file() and path.read_bytes() == source and known:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, source)
        if not known:
            self.add("kept", kata, at, sha256=digest)
        return not known

    def attempts(self, kata: str) -> list[Attempt]:
        """The versions of a kata in the order in which they were first kept."""
        events = self.events(kata)
        first: dict[str, datetime] = {}
        for event in events:
            digest = event.data.get("sha256")
            if event.kind in ("kept", "graded") and isinstance(digest, str):
                first.setdefault(digest, event.at)
        for path in self._versions(kata):
            first.setdefault(path.stem, datetime.fromtimestamp(path.stat().st_mtime, UTC))
        order = sorted(
            (digest for digest in first if _SHA.fullmatch(digest)), key=first.__getitem__
        )
        present = [digest for digest in order if self._version(kata, digest).is_file()]
        return [
            self._attempt(number, kata, digest, first[digest], events)
            for number, digest in enumerate(present, start=1)
        ]

    def _attempt(
        self, number: int, kata: str, digest: str, at: datetime, events: list[Event]
    ) -> Attempt:
        runs = [e.data for e in events if e.kind == "graded" and e.data.get("sha256") == digest]
        ratios = [run["ratio"] for run in runs if isinstance(run.get("ratio"), int | float)]
        last: Mapping[str, Any] = runs[-1] if runs else {}
        return Attempt(
            number,
            at,
            digest,
            self._version(kata, digest),
            last.get("outcome"),
            min(ratios, default=None),
            last.get("failed"),
        )

    def _version(self, kata: str, digest: str) -> Path:
        return self.folder / "attempts" / kata / f"{digest}.py"

    def _versions(self, kata: str) -> list[Path]:
        found = (self.folder / "attempts" / kata).glob("*.py")
        return sorted(path for path in found if _SHA.fullmatch(path.stem))

    def _check(self, line: bytes) -> None:
        with suppress(ValueError, AttributeError, TypeError):
            found = _VERSION.fullmatch(json.loads(line).get("format", ""))
            if found and int(found[1]) > 1:
                raise StateTooNew(
                    f"{self.file} was written by a newer bpe-kata ({found[0]}); "
                    "upgrade bpe-kata, or move the folder .kata away."
                )


def _parsed(line: bytes) -> Event | None:
    """An event, or None for the header, a torn line, or what is no event."""
    try:
        data = json.loads(line)
        at = datetime.fromisoformat(data.pop("at"))
        kind, kata = data.pop("event"), data.pop("kata")
    except (ValueError, AttributeError, LookupError, TypeError):
        return None
    if not (isinstance(kind, str) and isinstance(kata, str)):
        return None
    return Event(at if at.tzinfo else at.replace(tzinfo=UTC), kind, kata, data)
