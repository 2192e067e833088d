"""The interview as a candidate and an interviewer meet it, on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
from click.testing import CliRunner

from grader import catalog, cli, judge, pytest_katas, workspace
from grader.errors import KataError
from grader.interview import clock, guard, report
from grader.interview.ledger import Ledger
from grader.interview.room import journals
from grader.interview.session import Kind, Session, State
from grader.journal import Journal
from tests.interview_script import RIGHT, WRONG
from tests.interviews import FileClock
from tests.reports import TIMING

KATAS = catalog.all_katas()
NAME = "pair_counts"
MINUTE = 60.0
HOSTILE = "<script>alert(1)</script> \x1b[31m | `x` ::error::y ‮z"

Run = Callable[..., SimpleNamespace]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> workspace.Workspace:
    """A workspace that is the working directory."""
    workspace.create(tmp_path / "my", KATAS)
    monkeypatch.chdir(tmp_path / "my")
    return workspace.Workspace(tmp_path / "my")


@pytest.fixture
def time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileClock:
    """A clock that a test moves."""
    moved = FileClock(tmp_path / "clock.json")
    moved.set(0.0)
    monkeypatch.setattr(clock, "system", lambda: moved)
    return moved


@pytest.fixture
def kata(home: workspace.Workspace, time: FileClock) -> Run:
    """`kata …`: exit code, what went to stdout, and what to stderr."""

    def run(*words: str) -> SimpleNamespace:
        result = CliRunner().invoke(cli.kata, words, standalone_mode=False)
        error = result.exception
        if error is not None and not isinstance(error, KataError):
            raise error
        code = error.exit_code if isinstance(error, KataError) else result.return_value
        return SimpleNamespace(code=code, out=result.stdout, err=f"{result.stderr}{error or ''}")

    return run


@pytest.fixture
def begun(kata: Run) -> Run:
    """A screen of 45 minutes that has begun, with the first function of all to write."""
    assert kata(*["interview", "start", "--katas", "pair_counts", "--seed", "7", "--yes"]).code == 0
    return kata


@pytest.fixture
def writing(begun: Run) -> Run:
    """The same, in the stage where the function is written."""
    begun("interview", "next")
    return begun


def save(home: workspace.Workspace, time: FileClock, source: str, at: float) -> None:
    """Write a version, at a time of the clock."""
    home.file(KATAS[0]).write_text(source)
    time.set(at, **{NAME: at})


def now(home: workspace.Workspace) -> Session:
    return Ledger(journals(home)[-1]).read().session


def events(home: workspace.Workspace) -> list[str]:
    return [event.kind.value for event in Ledger(journals(home)[-1]).read().events]


def judged(outcome: str = "WRONG", **more: object) -> Callable[..., dict[str, object]]:
    """In the place of the hidden suite."""
    facts = {"passed": 2, "total": 12, "not_run": 0, "loads": True}
    return lambda *args: {"outcome": outcome, **facts, **more}


# --- before, and beside --------------------------------------------------------------------


def test_a_newcomer_is_told_what_it_is_and_how_to_begin(kata: Run) -> None:
    """`kata interview` alone, with nothing open."""
    told = kata("interview").out
    assert "against the clock" in told
    assert "kata interview start --plan screen  45 min" in told


def test_starting_puts_fresh_stubs_in_place_and_keeps_what_was_there(
    home: workspace.Workspace, kata: Run
) -> None:
    """As an attempt; other katas are left alone."""
    home.file(KATAS[0]).write_text("mine")
    home.file(KATAS[1]).write_text("other")
    told = kata("interview", "start", "--katas", NAME, "--yes").out
    assert "is a fresh stub; what was there is attempt 1." in told
    assert home.file(KATAS[0]).read_text() == KATAS[0].stub
    assert home.file(KATAS[1]).read_text() == "other"
    (attempt,) = Journal(home.root).attempts(NAME)
    assert attempt.source() == b"mine"


def test_one_interview_at_a_time(home: workspace.Workspace, begun: Run) -> None:
    """A second start changes nothing."""
    home.file(KATAS[0]).write_text("mine")
    again = begun("interview", "start", "--yes")
    assert (again.code, home.file(KATAS[0]).read_text()) == (2, "mine")
    assert "kata interview finish" in again.err


def test_without_a_terminal_starting_needs_a_yes(home: workspace.Workspace, kata: Run) -> None:
    """Nothing happens before it."""
    told = kata("interview", "start")
    assert told.code == 2
    assert "encode_bpe or train_bpe" in " ".join(told.out.split())
    assert journals(home) == []


HELP = (
    f"run {NAME}",
    f"run katas/{NAME}.py --solution reference",
    "run --all",
    f"hint {NAME} --yes",
    f"solution {NAME} --anyway",
    f"debug {NAME}",
    f"repro {NAME}",
    f"reset {NAME} --yes",
    f"attempts {NAME} --restore 1",
    f"attempts {NAME} --diff",
    f"watch {NAME}",
    f"bench {NAME}",
    "watch",
    "trace tea",
    f"trace --last {NAME}",
)


def test_what_would_help_rests_while_an_interview_is_open(begun: Run, time: FileClock) -> None:
    """One sentence that points to the interview, and exit code 2."""
    for words in HELP:
        told = begun(*words.split())
        assert (told.code, told.out) == (2, "")
        assert re.search(r"while an interview is open.*`kata interview[^`]*` \w+", told.err)
    time.set(46 * MINUTE)
    assert "`kata interview` ends it" in begun("run", NAME).err
    assert begun().out.startswith(f"An interview is open, with {NAME} to write.")


def test_plain_pytest_runs_no_hidden_suite_of_an_open_interview(
    home: workspace.Workspace, begun: Run
) -> None:
    """The visible examples are left, and so is every suite of another kata."""
    home.file(KATAS[1]).write_text("def merge_pair(symbols, pair): return symbols")
    marks: dict[Path, list[str]] = {}

    def item(path: Path) -> SimpleNamespace:
        marks[path] = []
        return SimpleNamespace(
            path=path,
            add_marker=lambda mark: marks[path].append(mark.kwargs["reason"]),
            get_closest_marker=lambda name: None,
        )

    home.file(KATAS[0]).write_text(RIGHT)
    items = [item(path) for path in (KATAS[0].suite, home.file(KATAS[0]), KATAS[1].suite)]
    config = SimpleNamespace(rootpath=home.root)
    pytest_katas.pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]
    assert list(marks.values()) == [["an interview is open: kata interview submit"], [], []]


def test_other_katas_are_free(home: workspace.Workspace, begun: Run) -> None:
    """And so is everything once there is no interview."""
    guard.refuse("run", "encode_bpe", home.root)
    assert guard.asked(home.root) == (NAME,)
    begun("interview", "finish", "--yes")
    guard.refuse("run", NAME, home.root)
    assert guard.asked(home.root) == ()


# --- the clock -------------------------------------------------------------------------------


def test_in_a_pipe_the_status_is_one_line(begun: Run, time: FileClock) -> None:
    """Time left, stage, what is allowed."""
    time.set(90)
    told = begun("interview").out
    assert told.count("\n") == 1
    assert told.startswith("43:30 left of 45:00 · stage 1 of 4, Explain it")
    assert told.rstrip().endswith("answer, pause, next, finish")


def test_a_command_says_when_time_has_become_short(begun: Run, time: FileClock) -> None:
    """Once, on stderr, for whoever has no clock on the screen."""
    for minutes, told in ((22.6, "Half of the time"), (35, "10 min left"), (43.5, "2 min left")):
        time.set(minutes * MINUTE)
        assert told in begun("interview", "next").err
        assert told not in begun("interview", "answer").err


def test_a_pause_stops_the_clock_and_moves_the_deadline(
    home: workspace.Workspace, begun: Run, time: FileClock
) -> None:
    """Nothing else is possible meanwhile."""
    time.set(10 * MINUTE)
    assert "35:00 left" in begun("interview", "pause").out
    time.set(500 * MINUTE)
    assert begun("interview").out.startswith("paused, 35:00 left")
    assert "is paused" in begun("interview", "next").err
    save(home, time, WRONG, 500 * MINUTE)
    assert "35:00 left" in begun("interview", "resume").out
    assert now(home).left_s(time.now()) == 35 * MINUTE
    told = [one.text for one in report.build(Ledger(journals(home)[-1]).read()).timeline]
    assert told == ["started", "paused", "edited while the clock stood still", "resumed"]


def test_a_strict_interview_has_no_pause(kata: Run) -> None:
    """And says so."""
    kata("interview", "start", "--strict", "--yes")
    told = kata("interview", "pause")
    assert told.code == 2
    assert "no pause" in told.err


@pytest.mark.parametrize(
    ("seen_s", "saved_s", "source", "basis"),
    [
        (40, 40, WRONG, "as it was when the time was up"),
        (None, 44, RIGHT, "seen later, and not changed since"),
        (40, 46, WRONG, "as it was recorded last, at 09:40:00 UTC; it was changed after the end"),
    ],
)
def test_when_the_time_is_up_the_file_is_taken_as_it_was(
    home: workspace.Workspace,
    writing: Run,
    time: FileClock,
    monkeypatch: pytest.MonkeyPatch,
    seen_s: float | None,
    saved_s: float,
    source: str,
    basis: str,
) -> None:
    """Even if nobody looked before, and even if it was changed since; the report says which."""
    taken: list[str] = []
    monkeypatch.setattr(judge, "judge", lambda kata, source, *a, **k: taken.append(source) or 1 / 0)
    if seen_s is not None:
        save(home, time, WRONG, seen_s * MINUTE)
        writing("interview")
    if saved_s != seen_s:
        save(home, time, RIGHT, saved_s * MINUTE)
    time.set(60 * MINUTE)
    with pytest.raises(ZeroDivisionError):
        writing("interview")
    session = now(home)
    assert session.state is State.OVER
    assert session.elapsed_s(time.now()) == 45 * MINUTE
    ending = Ledger(journals(home)[-1]).read().events[-1]
    assert ending.kind is Kind.RAN_OUT
    assert ending.data["taken"][NAME]["basis"].endswith(basis)
    assert taken[0].source.decode() == source


# --- writing ---------------------------------------------------------------------------------


def test_a_run_shows_the_visible_examples_and_nothing_of_the_suite(
    home: workspace.Workspace, writing: Run, time: FileClock
) -> None:
    """No law, no seed, no name of a mistake."""
    save(home, time, WRONG, 9 * MINUTE)
    told = writing("interview", "run")
    assert told.code == 1
    assert "yours" in told.out
    for hidden in ("laws", "seed", "agree", "kata hint"):
        assert hidden not in told.out
    assert events(home)[-2:] == ["edited", "ran"]


def test_a_submit_says_how_many_cases_pass_and_not_which(
    home: workspace.Workspace, writing: Run, time: FileClock
) -> None:
    """And the same version has the same verdict, which is not counted twice."""
    save(home, time, WRONG, 9 * MINUTE)
    told = writing("interview", "submit")
    assert told.code == 1
    assert re.match(r"pair_counts, submit 1: WRONG, \d+ of 12 cases pass\.\n", told.out)
    assert "yours" not in told.out
    assert "counterexample" not in journals(home)[-1].read_text()
    before = events(home)
    again = writing("interview", "submit")
    assert "submitted before" in again.out
    assert events(home) == before


def test_a_submit_that_was_cut_off_is_judged_the_next_time(
    home: workspace.Workspace, writing: Run, time: FileClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one submit."""
    save(home, time, WRONG, 9 * MINUTE)
    monkeypatch.setattr("grader.interview.judging.hidden", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        writing("interview", "submit")
    monkeypatch.setattr("grader.interview.judging.hidden", judged())
    assert "submit 1: WRONG, 2 of 12" in writing("interview", "submit").out
    assert events(home)[-2:] == ["submitted", "judged"]


def test_a_stub_is_not_submitted(home: workspace.Workspace, writing: Run) -> None:
    """It costs nothing to try."""
    told = writing("interview", "submit")
    assert (told.code, "still the stub" in told.out) == (1, True)
    assert "submitted" not in events(home)


def test_a_file_that_cannot_be_read_is_one_sentence(
    home: workspace.Workspace, writing: Run
) -> None:
    """Missing, binary, not UTF-8."""
    path = home.file(KATAS[0])
    for data in (None, b"\0", b"\xff\xfe"):
        path.unlink() if data is None else path.write_bytes(data)
        told = writing("interview", "submit")
        assert told.code == 2
        assert f"{NAME}.py" in told.err
        assert writing("interview").code == 0


def test_hints_cost_and_can_be_read_again(home: workspace.Workspace, writing: Run) -> None:
    """They are confirmed, counted, and end."""
    assert "add --yes" in writing("interview", "hint").err
    for number in range(1, len(KATAS[0].hints) + 1):
        assert f"hint {number} of" in writing("interview", "hint", "--yes").out
    assert "every hint" in writing("interview", "hint", "--yes").err
    assert f"hint {number} of" in writing("interview", "hint", "--again").out
    assert now(home).hints == {NAME: len(KATAS[0].hints)}


# --- talking ---------------------------------------------------------------------------------


def test_questions_come_one_at_a_time_and_are_ticked_off(
    home: workspace.Workspace, begun: Run
) -> None:
    """Points are shown after the answer, never before."""
    asked = begun("interview", "answer").out
    assert "question 1 of 2" in asked
    assert "A good answer" not in asked
    told = begun("interview", "answer", "--text", HOSTILE, "--points", "1,2").out
    assert "A good answer says" in told
    assert "2 of" in told
    assert "question 2 of 2" in begun("interview", "answer").out
    assert begun("interview", "answer", "--points", "99").code == 2
    begun("interview", "answer", "--skip")
    assert "nothing to answer" in begun("interview", "answer").out
    assert len(now(home).answered) == 2


def test_a_strict_interview_shows_no_points(kata: Run) -> None:
    """The interviewer holds them."""
    kata("interview", "start", "--strict", "--yes")
    assert "A good answer" not in kata("interview", "answer", "--text", "so").out
    for option in (["--points", "1"], ["--tick"]):
        assert "interviewer ticks off" in kata("interview", "answer", *option).err


def test_a_ladder_waits_for_a_pass(
    home: workspace.Workspace, writing: Run, time: FileClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then it is writing time; afterwards `submit` checks the follow-up."""
    writing("interview", "next")
    assert "come after a pass" in writing("interview").out
    save(home, time, RIGHT, 20 * MINUTE)
    monkeypatch.setattr("grader.interview.judging.hidden", judged("PASS"))
    assert "PASS" in writing("interview", "submit").out
    assert "follow-up 1 of 2" in writing("interview").out
    monkeypatch.setattr(
        "grader.interview.ladder.check",
        lambda *args: SimpleNamespace(passed=True, text="It holds."),
    )
    assert "It holds." in writing("interview", "submit").out
    assert "follow-up 2 of 2" in writing("interview").out


# --- afterwards ------------------------------------------------------------------------------


def test_a_whole_interview(
    home: workspace.Workspace,
    writing: Run,
    time: FileClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From a wrong submit to the report, handed back, marked, verified; and tampered with."""
    monkeypatch.setattr(judge, "_time", lambda run, said: TIMING)
    save(home, time, WRONG, 9 * MINUTE)
    writing("interview", "submit")
    save(home, time, f"{RIGHT}# {HOSTILE}\n", 15 * MINUTE)
    writing("interview", "run")
    writing("interview", "submit")
    assert "still open" in writing("interview", "report").err
    ended = writing("interview", "finish", "--yes")
    assert ended.code == 0
    assert "pair_counts PASS, 12 of 12 cases" in " ".join(ended.out.split())
    seal = re.search(r"seal of the journal is (\w+)", ended.out)[1]

    shown = writing("interview", "report").out
    assert "2 of 12 cases" in shown
    assert "Diagnosis: " in shown  # of the wrong submit, now that it is over
    assert "first run at 15:00" in shown
    data = json.loads(writing("interview", "report", "--format", "json").out)
    schema = Path(guard.__file__).parent.parent / "schemas" / "interview-report-1.json"
    jsonschema.validate(data, json.loads(schema.read_text()))
    (written,) = data["written"]
    assert [v["outcome"] for v in written["versions"]] == ["WRONG", "PASS"]
    assert (written["submits"], written["tested"]) == (2, 1)
    assert {c["name"]: c["marks"] for c in data["rubric"]}["correctness"] == 4
    assert home.state(KATAS[0]) == "passed"

    back = tmp_path / "back.jsonl"
    assert writing("interview", "export", "--output", str(back)).code == 0
    marked = ["--complexity", "1", "--note", HOSTILE]
    assert writing("interview", "mark", str(back), *marked).code == 0
    assert "→ 1" in writing("interview", "report", str(back)).out
    checked = writing("interview", "verify", str(back), "--seal", seal, "--again")
    assert (checked.code, "nothing is missing" in checked.out) == (0, True)
    assert writing("interview", "verify", str(back), "--seal", "0" * 12).code == 1
    for kind in ("html", "md", "text"):
        page = writing("interview", "report", str(back), "--format", kind).out
        assert "alert(1)" in page
        assert "\x1b" not in page
        assert "‮" not in page
        if kind != "text":  # nothing of it is markup; in a block of code it may stand as it is
            outside = re.sub(r"(?s)```.*?```", "", page)
            assert "<script" not in outside.replace("\\<script", "")

    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(back.read_text().splitlines(keepends=True)[:-4]))
    assert writing("interview", "verify", str(cut), "--seal", seal).code == 1

    back.write_text(back.read_text().replace('"passed": 2,', '"passed": 9,', 1))
    found = writing("interview", "verify", str(back), "--again")
    assert found.code == 1
    assert "was edited" in found.out
    assert "the journal says WRONG, 9 of 12; judged again" in " ".join(found.out.split())
    assert "was edited" in writing("interview", "report", str(back)).err


AMISS = (
    ("submit", "No interview is open"),
    ("report", "no interview here yet"),
    ("report nowhere.jsonl", "no session file nowhere.jsonl"),
    ("report pyproject.toml", "not the session file"),
    ("mark", "Give a mark"),
    ("mark --answer x", "together"),
    ("start --plan onsit --yes", "did you mean 'onsite'"),
    ("start --katas nope --yes", "no kata 'nope'"),
)


def test_what_does_not_fit_is_one_sentence(kata: Run) -> None:
    """What, and what to do; exit code 2."""
    for words, told in AMISS:
        found = kata("interview", *words.split())
        assert found.code == 2
        assert told in found.err


def test_a_plan_to_hand_out_starts_the_same_for_everybody(
    home: workspace.Workspace, kata: Run, tmp_path: Path
) -> None:
    """Mode, minutes, kata and questions; without options it is the file that ships."""
    path = tmp_path / "handout.toml"
    make = ["--seed", "7", "--strict", "--minutes", "30", "--output", str(path)]
    assert kata("interview", "plan", "screen", *make).code == 0
    kata("interview", "start", "--plan", str(path), "--yes")
    session = now(home)
    assert (session.plan.strict, session.plan.minutes, session.plan.seed) == (True, 30, 7)
    assert kata("interview", "plan").out.startswith("# A first interview")


def test_a_journal_that_is_unreadable_blocks_nothing(home: workspace.Workspace, kata: Run) -> None:
    """`kata run` goes on beside a file that is no journal."""
    folder = home.root / ".kata" / "interviews"
    folder.mkdir(parents=True)
    (folder / "20300101-000000.jsonl").write_text("who knows\n")
    guard.refuse("run", NAME, home.root)
    assert kata("interview").code == 0
