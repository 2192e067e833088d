"""The journal: what was tampered with is found, what a crash left is forgiven."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.interview.ledger import Ledger, NotAJournal, read, sealed
from grader.interview.session import Kind
from tests.test_interview_session import SHA, HandClock, begun, event_data

Lines = list[bytes]


@pytest.fixture
def journal(tmp_path: Path) -> Ledger:
    """Eight events: two versions submitted, and the end."""
    ledger, clock = Ledger(tmp_path / "one.jsonl"), HandClock()
    with ledger.writing(clock) as writer:
        writer.add(Kind.STARTED, **begun())
        for kind, sha in [
            (Kind.MOVED, "a"),
            (Kind.EDITED, "a"),
            (Kind.SUBMITTED, "a"),
            (Kind.JUDGED, "a"),
            (Kind.EDITED, "b"),
            (Kind.FINISHED, "b"),
        ]:
            clock.seconds += 60
            writer.add(kind, **event_data(writer.session, kind, SHA[sha]))
    return ledger


def changed(ledger: Ledger, change: Callable[[Lines], Lines]) -> list[tuple[int, str]]:
    """What is found once the lines were changed: line and text, of what is serious."""
    lines = ledger.path.read_bytes().splitlines()
    data = b"\n".join(change(lines)) + b"\n"
    return [(f.line, f.text) for f in read(data, "x").findings if f.serious]


def edited(lines: Lines, number: int, **facts: object) -> Lines:
    entry = json.loads(lines[number]) | facts
    return [*lines[:number], json.dumps(entry).encode(), *lines[number + 1 :]]


def test_a_journal_that_nobody_touched_is_whole(journal: Ledger) -> None:
    """No finding, and each line has a seal."""
    found = journal.read()
    assert found.findings == ()
    assert len(found.events) == len(found.seals) == 7
    assert found.seal == found.seals[-1]


@pytest.mark.parametrize("number", range(1, 8))
def test_an_edited_line_is_found(journal: Ledger, number: int) -> None:
    """Whichever it is, in that line."""
    found = changed(journal, lambda lines: edited(lines, number, note="nothing to see"))
    assert found[0][0] == number + 1
    assert "was edited" in found[0][1]


def test_an_edited_line_with_a_seal_of_its_own_breaks_the_next(journal: Ledger) -> None:
    """Who makes the seal anew has to do so to the end."""

    def forge(lines: Lines) -> Lines:
        entry = json.loads(lines[5]) | {"outcome": "WRONG"}
        del entry["seal"]
        entry["seal"] = sealed(json.loads(lines[4])["seal"], entry)
        return [*lines[:5], json.dumps(entry).encode(), *lines[6:]]

    assert [line for line, _ in changed(journal, forge)] == [7]


@pytest.mark.parametrize("number", range(1, 7))
def test_a_missing_line_is_a_gap(journal: Ledger, number: int) -> None:
    """With how many are missing."""
    found = changed(journal, lambda lines: [*lines[:number], *lines[number + 1 :]])
    assert found[0] == (number + 1, f"It is event {number}, and {number - 1} is due: "
                        "1 before it are missing.")  # fmt: skip


def test_a_line_that_was_put_in_is_found(journal: Ledger) -> None:
    """And so are two that changed places."""
    doubled = changed(journal, lambda lines: [*lines[:4], lines[3], *lines[4:]])
    assert "it was put in" in doubled[0][1]
    assert changed(journal, lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]])


def test_what_cannot_have_happened_is_found_even_with_right_seals(tmp_path: Path) -> None:
    """A journal that was written anew still has to be an interview."""
    ledger = Ledger(tmp_path / "x.jsonl")
    with ledger.writing(HandClock()) as writer:
        writer.add(Kind.STARTED, **begun())
        seal, entry = writer.found.seal, {"n": 1, "at": "2030-01-07T09:00:01Z", "up": None}
    entry |= {"event": "hinted", "kata": "train_bpe", "number": 1}
    line = json.dumps(entry | {"seal": sealed(seal, entry)}).encode()
    found = read(ledger.path.read_bytes() + line + b"\n", "x").findings
    assert [f.text for f in found] == [
        "What it tells cannot have happened: There is no hint in the stage 'Explain it'; "
        "it comes with 'Write it', and `kata interview next` goes on."
    ]


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_a_crash_cut_off_costs_only_itself(journal: Ledger, cut: int) -> None:
    """It is no tampering, and what comes after it is sealed as if it had not been."""
    data = journal.path.read_bytes()
    journal.path.write_bytes(data[:-cut])
    torn = journal.read()
    assert [f.serious for f in torn.findings] == ([False] if cut > 1 else [])
    assert len(torn.events) == (6 if cut > 1 else 7)
    if cut > 1:
        clock = HandClock(600)
        with journal.writing(clock) as writer:
            writer.add(Kind.FINISHED, **event_data(writer.session, Kind.FINISHED))
        again = journal.read()
        assert len(again.events) == 7
        assert not any(f.serious for f in again.findings)


@pytest.mark.parametrize(
    ("seconds", "uptime", "told"),
    [(-300, None, "back by 300 s"), (700, 40.0, "forward by 660 s"), (-5, 60.0, "back by 65 s")],
)
def test_a_clock_that_was_set_is_found(
    tmp_path: Path, seconds: float, uptime: float | None, told: str
) -> None:
    """Time does not go back, and the time since the boot cannot be set."""
    ledger, clock = Ledger(tmp_path / "x.jsonl"), HandClock(1000)
    boot = 1000.0
    with ledger.writing(clock) as writer:
        clock.uptime = lambda: None if uptime is None else f"b:{boot}"  # type: ignore[method-assign]
        writer.add(Kind.STARTED, **begun())
        clock.seconds += seconds
        boot += uptime or 0.0
        session = writer.add(Kind.MOVED)
    assert session.elapsed_s(clock.now()) == max(seconds, 0)
    (finding,) = ledger.read().findings
    assert told in finding.text


def test_the_clock_of_the_interviewer_is_their_own(journal: Ledger) -> None:
    """A mark from a machine whose clock is behind is no offence."""
    clock = HandClock(0)
    clock.uptime = lambda: "otherboot:5.0"  # type: ignore[method-assign]
    with journal.writing(clock) as writer:
        writer.add(Kind.MARKED, note="fine")
    assert journal.read().findings == ()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not the session file"),
        (b"\x00\xff", "not the session file"),
        (b'{"format": "kata-journal/1"}\n', "not the session file"),
        (b'{"format": "kata-interview/2"}\n', "newer bpe-kata"),
    ],
)
def test_what_is_no_journal_is_refused(data: bytes, told: str) -> None:
    """In one sentence."""
    with pytest.raises(NotAJournal, match=told):
        read(data, "x")


@pytest.mark.parametrize("line", [b"[]", b"{}", b'{"n": true}', b"\xff", b"null", b"[" * 9999])
def test_a_line_of_anything_is_survived(journal: Ledger, line: bytes) -> None:
    """It is told and left out."""
    lines = journal.path.read_bytes().splitlines()
    found = read(b"\n".join([*lines, line, b""]), "x")
    assert len(found.events) == 7
    assert len(found.findings) == 1


def test_events_that_make_no_sense_are_survived(journal: Ledger) -> None:
    """With right seals and facts of the wrong kind."""
    data = journal.path.read_bytes()
    seal = journal.read().seal
    for n, facts in enumerate([{"event": "danced"}, {"event": "judged"}, {"at": "noon"}], start=7):
        entry = {"n": n, "at": "2030-01-07T10:00:00Z", "up": None, "event": "marked"} | facts
        seal = sealed(seal, entry)
        data += json.dumps({**entry, "seal": seal}).encode() + b"\n"
    found = read(data, "x")
    assert [f.line for f in found.findings] == [9, 10, 11]
