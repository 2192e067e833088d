"""The journal of one interview: lines that only grow, each sealed with the ones before it.

    {"format": "kata-interview/1"}
    {"n": 0, "at": "…", "up": "…", "event": "started", …, "seal": "…"}

A seal is the SHA-256 of the seal before it and of its own line without the seal. Who
changes, removes or inserts a line breaks the chain from there on. The last seal is that of
the whole file: told to somebody, it also shows when everything was written anew. There is
no other copy of the state; it is replayed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.appendlog import append, locked
from grader.errors import UsageError
from grader.interview.clock import Clock
from grader.interview.session import Event, Kind, Refused, Session, State, after

FORMAT = "kata-interview/1"
_HEADER = json.dumps({"format": FORMAT}).encode() + b"\n"
_VERSION = re.compile(r"kata-interview/(\d+)")
_OWN = ("n", "at", "up", "clock", "event", "seal")
#: Wall clock and uptime may drift apart by this much, of a time and of its length.
_DRIFT_S, _DRIFT = 5.0, 0.001


class NotAJournal(UsageError):
    """The file is not the journal of an interview, or of a later version."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a journal that should not be; `serious` when it was tampered with."""

    line: int  # in the file, from 1
    text: str
    serious: bool = True


@dataclass(frozen=True, slots=True)
class Read:
    """A journal as it was read: its legal events, where they lead, and what is wrong."""

    events: tuple[Event, ...] = ()
    session: Session = field(default_factory=Session)
    findings: tuple[Finding, ...] = ()
    seal: str = ""  # of the last line
    uptime: str | None = None  # of the last line
    next: int = 0  # the number of the next line
    seals: tuple[str, ...] = ()  # of every line


@dataclass(frozen=True, slots=True)
class Ledger:
    """The journal in a file."""

    path: Path

    def read(self) -> Read:
        """Everything in it. Raises `NotAJournal`."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            told = error.strerror or error
            raise NotAJournal(f"{self.path} cannot be read ({told}).") from None
        return read(data, str(self.path))

    @contextmanager
    def writing(self, clock: Clock) -> Iterator[Writer]:
        """Alone with the file, over all terminals, until the end of the block."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.path):  # which makes an empty file where there is none
                if not self.path.stat().st_size:
                    append(self.path, _HEADER)
                yield Writer(self.path, clock, self.read())
        except OSError as error:
            told = error.strerror or error
            raise UsageError(
                f"{self.path} cannot be written ({told}), so nothing can be recorded; mend that."
            ) from None


@dataclass(slots=True)
class Writer:
    """The one that may append, while the block lasts."""

    path: Path
    clock: Clock
    found: Read

    @property
    def session(self) -> Session:
        return self.found.session

    def add(self, kind: Kind, **data: Any) -> Session:
        """Append one event, on disk when this returns. Raises `Refused`, `OSError`."""
        now = _whole(self.clock.now())
        at = max(now, self.session.at or now)
        event = Event(self.found.next, at, kind, json.loads(json.dumps(data)))
        session = after(self.session, event)
        entry: dict[str, Any] = {"n": event.number, "at": _stamp(at), "up": self.clock.uptime()}
        if now < at:
            entry["clock"] = _stamp(now)
        entry |= {"event": kind.value, **data}
        seal = sealed(self.found.seal, entry)
        append(self.path, _line({**entry, "seal": seal}))
        self.found = Read(
            (*self.found.events, event),
            session,
            self.found.findings,
            seal,
            entry["up"],
            event.number + 1,
            (*self.found.seals, seal),
        )
        return session


def sealed(before: str, entry: Mapping[str, Any]) -> str:
    """The seal of a line, after the seal before it."""
    return hashlib.sha256(before.encode() + _line(entry)).hexdigest()


def read(data: bytes, name: str) -> Read:
    """A journal from its bytes. Raises `NotAJournal`; what is wrong in it becomes findings."""
    header, *lines = data.split(b"\n")
    _check_header(header, name)
    reader = _Reader()
    for number, line in enumerate(lines, start=2):
        if line.strip():
            reader.line(number, line, torn=number == len(lines) + 1)
    return Read(
        tuple(reader.events),
        reader.session,
        tuple(reader.findings),
        reader.seal,
        reader.uptime,
        reader.next,
        tuple(reader.seals),
    )


class _Reader:
    """Goes through the lines of a journal once."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.findings: list[Finding] = []
        self.session = Session()
        self.seal = ""
        self.seals: list[str] = []
        self.next = 0
        self.uptime: str | None = None
        self._at: datetime | None = None  # by the wall clock, at the last line

    def line(self, number: int, line: bytes, *, torn: bool) -> None:
        entry = _parsed(line)
        if entry is None:
            told = "was cut off by a crash" if torn else "is no event; a crash may have cut it off"
            self._finding(number, f"The line {told}.", serious=False)
            return
        self._check_chain(number, entry)
        if self.session.state is not State.OVER:  # marks come from another machine
            self._check_clock(number, entry)
        self.seal, self.next = entry["seal"], entry["n"] + 1
        self.seals.append(self.seal)
        data = {key: value for key, value in entry.items() if key not in _OWN}
        try:
            event = Event(entry["n"], _time(entry["at"]), Kind(entry["event"]), data)
            self.session = after(self.session, event)
        except Refused as refusal:
            self._finding(number, f"What it tells cannot have happened: {refusal}")
        except (ValueError, LookupError, TypeError, AttributeError, UsageError) as error:
            self._finding(number, f"What it tells makes no sense ({type(error).__name__}).")
        else:
            self.events.append(event)

    def _check_chain(self, number: int, entry: Mapping[str, Any]) -> None:
        body = {key: value for key, value in entry.items() if key != "seal"}
        if entry["n"] != self.next:
            missing = entry["n"] - self.next
            told = f"{missing} before it are missing" if missing > 0 else "it was put in"
            self._finding(number, f"It is event {entry['n']}, and {self.next} is due: {told}.")
        elif sealed(self.seal, body) != entry["seal"]:
            self._finding(number, "The seal does not fit: this line or the one before was edited.")

    def _check_clock(self, number: int, entry: Mapping[str, Any]) -> None:
        """Compare what the wall clock says has passed with what nobody can set."""
        try:
            at = _time(entry.get("clock") or entry["at"])
        except (ValueError, TypeError):
            return
        passed = _passed(self.uptime, entry.get("up"))
        if self._at is not None:
            wall = (at - self._at).total_seconds()
            if wall < -_DRIFT_S or (passed is not None and _apart(wall, passed)):
                forward = wall - (passed if passed is not None else 0.0)
                way = "forward" if forward > 0 else "back"
                told = f"The clock was set {way} by {abs(forward):,.0f} s before this."
                self._finding(number, told)
        self._at, self.uptime = at, entry.get("up")

    def _finding(self, number: int, text: str, *, serious: bool = True) -> None:
        self.findings.append(Finding(number, text, serious))


def _apart(wall: float, passed: float) -> bool:
    return abs(wall - passed) > _DRIFT_S + _DRIFT * abs(passed)


def _passed(before: str | None, now: object) -> float | None:
    """Seconds between two uptimes; None when they are not of one boot."""
    if not isinstance(before, str) or not isinstance(now, str):
        return None
    (boot, _, start), (same, _, end) = before.partition(":"), now.partition(":")
    try:
        return float(end) - float(start) if boot == same else None
    except ValueError:
        return None


def _check_header(header: bytes, name: str) -> None:
    try:
        found = json.loads(header)["format"]
        version = _VERSION.fullmatch(found)
    except (ValueError, LookupError, TypeError):
        version = None
    if version is None:
        raise NotAJournal(f"{name} is not the session file of an interview; name one that is.")
    if int(version[1]) > 1:
        raise NotAJournal(f"{name} was written by a newer bpe-kata; upgrade bpe-kata to read it.")


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    types = (("n", int), ("at", str), ("event", str), ("seal", str))
    return entry if all(type(entry.get(key)) is kind for key, kind in types) else None


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=True).encode() + b"\n"


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _whole(at: datetime) -> datetime:
    """In milliseconds, as it is written."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
