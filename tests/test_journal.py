"""Nothing is ever lost: versions, verdicts, and what a crash or a newer version leaves."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import warnings
from hashlib import sha256
from pathlib import Path

import pytest

from grader import catalog, counterexample, desk, judge, practice, workspace
from grader.errors import UsageError
from grader.journal import Journal, StateTooNew
from grader.model import Call, Kata, Outcome, Report, Submission
from grader.record import Record
from grader.solution import call_source
from tests.reports import make_report

KATAS = catalog.all_katas()
FIRST = KATAS[0]


@pytest.fixture
def home(tmp_path: Path) -> workspace.Workspace:
    workspace.create(tmp_path / "my", KATAS)
    return workspace.Workspace(tmp_path / "my")


def submitted(home: workspace.Workspace, source: bytes, kata: Kata = FIRST) -> Submission:
    return Submission(str(home.file(kata)), source, sha256(source).hexdigest())


def ran(home: workspace.Workspace, source: bytes, outcome: Outcome = Outcome.WRONG) -> Report:
    """A run of `source` that ended in `outcome`, with all that it leaves behind."""
    submission = submitted(home, source)
    assert Record(home).before(FIRST, submission) is None
    report = make_report(outcome, kata=FIRST, submission=submission)
    assert Record(home).after(report) is None
    return report


def sources(home: workspace.Workspace) -> list[bytes]:
    return [attempt.source() for attempt in Journal(home.root).attempts(FIRST.name)]


def test_every_version_that_differs_is_kept_once(home: workspace.Workspace) -> None:
    """With its time, its hash and its last verdict, in the order of first sight."""
    for source, outcome in [(b"a", Outcome.WRONG), (b"b", Outcome.PASS), (b"a", Outcome.RAISED)]:
        ran(home, source, outcome)
    found = Journal(home.root).attempts(FIRST.name)
    assert [(a.number, a.source(), a.outcome) for a in found] == [
        (1, b"a", "RAISED"),
        (2, b"b", "PASS"),
    ]
    assert [a.sha256 for a in found] == [sha256(s).hexdigest() for s in (b"a", b"b")]
    assert found[0].at.tzinfo is not None


def test_a_version_is_kept_before_it_is_judged(home: workspace.Workspace) -> None:
    """So a run that never ends loses nothing."""
    Record(home).before(FIRST, submitted(home, b"while True: pass\n"))
    (attempt,) = Journal(home.root).attempts(FIRST.name)
    assert (attempt.source(), attempt.outcome) == (b"while True: pass\n", None)


def test_the_stub_is_no_attempt(home: workspace.Workspace) -> None:
    """It can always be made again."""
    Record(home).before(FIRST, submitted(home, FIRST.stub.encode()))
    assert sources(home) == []


def test_state_is_versioned_text(home: workspace.Workspace) -> None:
    """Every line is a JSON object, the first names the format, and no path is in it."""
    ran(home, b"a")
    lines = Journal(home.root).file.read_text().splitlines()
    assert json.loads(lines[0]) == {"format": "kata-journal/1"}
    assert [json.loads(line)["event"] for line in lines[1:]] == ["kept", "graded"]
    assert str(home.root) not in Journal(home.root).file.read_text()


def test_the_folder_can_be_moved(home: workspace.Workspace, tmp_path: Path) -> None:
    """Attempts and verdicts move with it."""
    ran(home, b"a", Outcome.PASS)
    shutil.move(home.root, tmp_path / "elsewhere")
    (attempt,) = Journal(tmp_path / "elsewhere").attempts(FIRST.name)
    assert (attempt.source(), attempt.outcome) == (b"a", "PASS")


def test_a_newer_state_is_refused_and_left_alone(home: workspace.Workspace) -> None:
    """A run still reports, and says that it was not remembered; commands refuse."""
    journal = Journal(home.root)
    journal.folder.mkdir()
    journal.file.write_text('{"format": "kata-journal/2"}\nwho knows\n')
    before = journal.file.read_bytes()
    assert "newer bpe-kata" in str(Record(home).before(FIRST, submitted(home, b"a")))
    assert "newer bpe-kata" in str(Record(home).after(make_report(Outcome.WRONG, kata=FIRST)))
    with pytest.raises(StateTooNew, match="upgrade bpe-kata"):
        practice.attempts(FIRST.name, home.root)
    assert journal.file.read_bytes() == before
    assert sorted(p.name for p in journal.folder.iterdir()) == ["journal.jsonl", "lock"] or (
        [p.name for p in journal.folder.iterdir()] == ["journal.jsonl"]
    )


def test_a_report_of_a_newer_format_is_left_alone(home: workspace.Workspace) -> None:
    """The last report on disk is not replaced by an older idea of one."""
    last = home.root / ".kata" / "last" / f"{FIRST.name}.json"
    last.parent.mkdir(parents=True)
    last.write_text('{"schema": "kata-report/2"}')
    ran(home, b"a")
    assert last.read_text() == '{"schema": "kata-report/2"}'


@pytest.mark.parametrize(
    "damage", [b'{"at": "2026-01-', b"\xff\xfe\n", b"[]\n", b"{}\n", b'{"at": 1}\n', b"\n\n"]
)
def test_a_damaged_line_costs_only_itself(home: workspace.Workspace, damage: bytes) -> None:
    """What was written before and after it is still read."""
    ran(home, b"a")
    with Journal(home.root).file.open("ab") as file:
        file.write(damage)
    ran(home, b"b", Outcome.PASS)
    found = Journal(home.root).attempts(FIRST.name)
    assert [(a.source(), a.outcome) for a in found] == [(b"a", "WRONG"), (b"b", "PASS")]


def test_without_its_log_the_versions_still_count(home: workspace.Workspace) -> None:
    """The files alone are enough to get the work back."""
    ran(home, b"a")
    Journal(home.root).file.unlink()
    assert sources(home) == [b"a"]


def test_an_unknown_event_is_skipped(home: workspace.Workspace) -> None:
    """What a later version of this format adds does not disturb."""
    journal = Journal(home.root)
    journal.add("danced", FIRST.name, steps=3)
    ran(home, b"a")
    assert sources(home) == [b"a"]


def test_a_state_that_cannot_be_written_costs_no_verdict(home: workspace.Workspace) -> None:
    """One sentence says that nothing was remembered."""
    (home.root / ".kata").write_text("a file in the way")
    assert "not remembered" in str(Record(home).before(FIRST, submitted(home, b"a")))


def test_two_terminals_at_once(home: workspace.Workspace) -> None:
    """Four processes, each with its own versions: every event of each of them is there."""
    script = (
        "import sys; from grader.journal import Journal; from pathlib import Path\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for n in range(25):\n"
        "    journal.keep('k', f'{sys.argv[2]} {n}'.encode())\n"
        "    journal.add('graded', 'k', n=n, who=sys.argv[2], filler='x' * 5000)\n"
    )
    root = str(Path(desk.__file__).resolve().parent.parent)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(home.root), str(who)],
            env={**os.environ, "PYTHONPATH": root},
        )
        for who in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    journal = Journal(home.root)
    assert len(journal.attempts("k")) == 100
    graded = [e for e in journal.events("k") if e.kind == "graded"]
    assert len({(e.data["who"], e.data["n"]) for e in graded}) == 100
    assert len(journal.file.read_bytes().splitlines()) == 201


def test_kill_9_at_any_moment_loses_no_attempt(
    home: workspace.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over 200 runs in processes killed anywhere: each version that was put to the judge is kept.

    The state stays readable, and every verdict that was shown is remembered.
    """
    monkeypatch.chdir(home.root)
    draw = random.Random(6)
    told: list[str] = []
    shown: list[str] = []
    while len(told) < 200:
        lines = _killed_while_running(len(told), draw.randint(1, 25))
        told += [line[1:] for line in lines if line[:1] == "j"]
        shown += [line[1:] for line in lines if line[:1] == "s"]
    kept = {a.source().decode(): a.outcome for a in Journal(home.root).attempts(FIRST.name)}
    assert [source for source in told if source not in kept] == []
    assert [source for source in shown if kept[source] != "WRONG"] == []
    assert home.state(FIRST) in ("WRONG", "changed")
    litter = [p for p in (home.root / ".kata").rglob("*.py") if p.name.startswith(".")]
    assert all(p.suffix == ".tmp" for p in litter)


def _killed_while_running(start: int, after: int) -> list[str]:
    """What a process of endless runs said until it was killed, after that many lines."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of others; none are used
        child = os.fork()
    if child == 0:
        _run_for_ever(start, write)
    os.close(write)
    data = b""
    while data.count(b"\n") < after:
        data += os.read(read, 4096)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while chunk := os.read(read, 4096):
        data += chunk
    os.close(read)
    return [line for line in data.decode().split("\n") if line]


def _run_for_ever(start: int, write: int) -> None:
    """`kata run` again and again on new versions, with a judge that only says it was asked."""

    def judged(kata: Kata, source: Submission, *args: object, **more: object) -> Report:
        os.write(write, b"j" + source.source + b"\n")
        return make_report(Outcome.WRONG, kata=kata, submission=source)

    class Screen:
        def write(self, text: str) -> None:
            pass

    judge.judge = judged  # type: ignore[assignment]
    number = start
    try:
        while True:
            source = f"x = {os.getpid()}, {number}"
            path = Path("katas") / f"{FIRST.name}.py"
            workspace.write_atomically(path, source.encode())
            request = desk.Request((FIRST.name,), seed=1, format="json")
            desk.run(request, open(os.devnull, "w"), sys.stderr)  # noqa: SIM115
            os.write(write, b"s" + source.encode() + b"\n")
            number += 1
    finally:
        os._exit(1)


# --- attempts --------------------------------------------------------------------------


def test_restore_puts_a_version_back_and_keeps_what_was_there(home: workspace.Workspace) -> None:
    """Even a version that was never run."""
    ran(home, b"first")
    home.file(FIRST).write_bytes(b"never run")
    said = practice.restore(FIRST.name, 1, home.root)
    assert "is attempt 1 again; what was there is attempt 2." in said
    assert home.file(FIRST).read_bytes() == b"first"
    assert sources(home) == [b"first", b"never run"]


def test_restore_names_what_there_is(home: workspace.Workspace) -> None:
    """An attempt that does not exist is one sentence, and nothing changes."""
    before = home.file(FIRST).read_bytes()
    with pytest.raises(UsageError, match="has no attempt 3; it has none yet"):
        practice.restore(FIRST.name, 3, home.root)
    assert home.file(FIRST).read_bytes() == before


def test_when_the_old_file_cannot_be_kept_it_stays(home: workspace.Workspace) -> None:
    """Nothing is replaced that was not put aside first."""
    home.file(FIRST).write_bytes(b"precious")
    (home.root / ".kata").write_text("a file in the way")
    with pytest.raises(UsageError, match="was left as it is"):
        practice.replace_file(home, FIRST, FIRST.stub.encode())
    assert home.file(FIRST).read_bytes() == b"precious"


# --- counterexamples -------------------------------------------------------------------

ARGUMENTS = {
    "pair_counts": ({("l", "o"): 5, (): 1},),
    "merge_and_update": ([["a", "b"], []], [1, 2], {("a", "b"): 1}, {("a", "b"): set()}, ("a",)),
    "train_byte_bpe": (b"low\xff\r\n", 300, ["<|endoftext|>"]),
    "encode_bpe": ("\udcff'\n\x1b", [("a", "b")]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_counterexample_is_data_again(name: str) -> None:
    """The arguments that come back from the pasted call are those that went in."""
    kata = catalog.find(name)
    source = call_source(kata, Call(name, ARGUMENTS[name]))
    assert counterexample.arguments(source) == ARGUMENTS[name]


def test_the_last_counterexample_outlives_a_pass(home: workspace.Workspace) -> None:
    """It is there for debugging until another one takes its place."""
    ran(home, b"a")
    ran(home, b"b", Outcome.PASS)
    found = counterexample.recall(home, FIRST)
    assert found.args == ("teat", [("e", "a"), ("ea", "t"), ("t", "ea")])
    assert found.case == "lowest_rank_first"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "kata-counterexample/2"}'])
def test_a_counterexample_that_cannot_be_read_is_one_sentence(
    home: workspace.Workspace, text: str
) -> None:
    """It says what writes a new one."""
    ran(home, b"a")
    (home.root / ".kata" / "counterexamples" / f"{FIRST.name}.json").write_text(text)
    with pytest.raises(UsageError, match="writes a new one"):
        counterexample.recall(home, FIRST)
