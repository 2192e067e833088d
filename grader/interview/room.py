"""Where an interview happens: its journal in the workspace, the files that are watched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grader import catalog, submission
from grader.errors import UsageError
from grader.interview.clock import Clock
from grader.interview.ledger import Ledger, NotAJournal, Writer
from grader.interview.session import Event, Kind, Session, State
from grader.workspace import Workspace

NONE_OPEN = "No interview is open here; `kata interview start` begins one."


@dataclass(frozen=True, slots=True)
class Room:
    """One interview in one workspace."""

    home: Workspace
    ledger: Ledger
    clock: Clock

    def file(self, kata: str) -> Path:
        return self.home.katas / f"{kata}.py"

    def look(self) -> Session:
        """Record what has happened since the last look, and end what is out of time."""
        with self.ledger.writing(self.clock) as writer:
            return self.settled(writer)

    def settled(self, writer: Writer) -> Session:
        """The same, for who writes already."""
        session = writer.session
        if session.state in (State.OVER, State.NEW):
            return session
        if session.left_s(self.clock.now()) > 0 or session.state is State.PAUSED:
            for kata in session.plan.katas:
                self._observe(writer, kata)
            return writer.session
        taken = {kata: self._at_deadline(writer, kata) for kata in session.plan.katas}
        return writer.add(Kind.RAN_OUT, deadline=session.deadline().isoformat(), taken=taken)

    def finish(self, writer: Writer) -> Session:
        """End the interview and take the files as they are."""
        taken = {
            kata: {"sha256": writer.session.files.get(kata), "basis": "as it was at the end"}
            for kata in writer.session.plan.katas
        }
        return writer.add(Kind.FINISHED, taken=taken)

    def _observe(self, writer: Writer, kata: str) -> None:
        found = _found(self.file(kata))
        if found["sha256"] == writer.session.files.get(kata):
            return
        known = sources(writer.found.events)
        text = None if found["sha256"] in known else found.pop("source", None)
        found.pop("source", None)
        facts = {**found, **({"source": text} if text is not None else {})}
        writer.add(Kind.EDITED, kata=kata, changed=self._changed(kata), **facts)

    def _at_deadline(self, writer: Writer, kata: str) -> dict[str, Any]:
        """What the file was when the time was up, and how that is known."""
        recorded = writer.session.files.get(kata)
        if _found(self.file(kata))["sha256"] == recorded:
            return {"sha256": recorded, "basis": "as it was when the time was up"}
        changed = self._changed(kata)
        if changed and datetime.fromisoformat(changed) <= writer.session.deadline():
            self._observe(writer, kata)
            return {
                "sha256": writer.session.files.get(kata),
                "basis": "as it was when the time was up: seen later, and not changed since",
            }
        seen = _last_seen(writer.found.events, kata)
        return {
            "sha256": recorded,
            "basis": f"as it was recorded last, at {seen:%H:%M:%S} UTC; "
            "it was changed after the end",
        }

    def _changed(self, kata: str) -> str | None:
        try:
            return self.clock.changed(self.file(kata)).isoformat(timespec="milliseconds")
        except OSError:
            return None


def folder(home: Workspace) -> Path:
    """Where the journals of a workspace are."""
    return home.root / ".kata" / "interviews"


def journals(home: Workspace) -> list[Path]:
    """Every interview of a workspace, the newest last."""
    return sorted(folder(home).glob("*.jsonl"))


def opened(home: Workspace, clock: Clock) -> Room | None:
    """The interview that has not ended, if there is one."""
    for path in reversed(journals(home)):
        ledger = Ledger(path)
        with suppress(NotAJournal):  # it can block nothing but itself
            if ledger.read().session.state not in (State.OVER, State.NEW):
                return Room(home, ledger, clock)
    return None


def current(home: Workspace, clock: Clock) -> Room:
    """The interview that has not ended. Raises `UsageError`."""
    room = opened(home, clock)
    if room is None:
        raise UsageError(NONE_OPEN)
    return room


def sources(events: Iterable[Event]) -> dict[str, str]:
    """Every version of every file that the journal holds, by its hash."""
    found: dict[str, str] = {}
    for event in events:
        if event.kind is Kind.STARTED:
            found |= event.data["sources"]
        elif event.kind is Kind.EDITED and event.data.get("source") is not None:
            found[event.data["sha256"]] = event.data["source"]
    return found


def digest(source: bytes) -> str:
    """The hash a version goes by."""
    return hashlib.sha256(source).hexdigest()


def _found(path: Path) -> dict[str, Any]:
    """Hash and text of a file, or why it has none."""
    try:
        found = submission.read(path)
    except submission.Ungradable as error:
        return {"sha256": None, "problem": str(error).replace(str(path), path.name)}
    except UsageError:
        return {"sha256": None, "problem": f"{path.name} is missing"}
    return {"sha256": found.sha256, "source": found.source.decode("utf-8")}


def _last_seen(events: Iterable[Event], kata: str) -> datetime:
    """When the version that was recorded last was seen for the last time."""
    return [
        event.at
        for event in events
        if event.kind in (Kind.STARTED, Kind.EDITED, Kind.RAN, Kind.SUBMITTED)
        and event.data.get("kata") in (None, kata)
    ][-1]


def stub_of(kata: str) -> bytes:
    """The pristine stub, as an interview begins with it."""
    return catalog.find(kata).stub.encode()
