"""The last counterexample again: in this process, and as files of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader import catalog, counterexample, debugger, replay, repro, workspace
from grader.errors import UsageError
from grader.model import Call, Counterexample, Outcome
from grader.solution import call_source
from tests.reports import failing, make_report

KATAS = catalog.all_katas()
MERGES = [("e", "a"), ("ea", "t"), ("t", "ea")]
CALLS: dict[str, tuple[Any, ...]] = {
    "pair_counts": ({("a", "b"): 2},),
    "merge_pair": (("a", "b", "a"), ("a", "b")),
    "train_bpe": ({"aaabdaaabac": 1}, 3),
    "encode_bpe": ("steat", MERGES),
    "merge_and_update": (
        [["a", "b"], ["c"]],
        [2, 1],
        {("a", "b"): 2},
        {("a", "b"): {0}},
        ("a", "b"),
    ),
    "train_byte_bpe": (b" the the\xff cat", 260, ["<|endoftext|>"]),
}


@pytest.fixture
def home(tmp_path: Path) -> workspace.Workspace:
    workspace.create(tmp_path / "my", KATAS)
    return workspace.Workspace(tmp_path / "my")


def failed(home: workspace.Workspace, name: str, note: str | None = None) -> None:
    """Leave a counterexample of that kata behind."""
    kata = catalog.find(name)
    found = Counterexample(call_source(kata, Call(name, CALLS[name])), None, None, note, "")
    report = make_report(Outcome.WRONG, kata=kata, verdicts=failing(found, title='A "law" \\n.'))
    counterexample.remember(home, report)


def write(home: workspace.Workspace, name: str, source: str) -> None:
    (home.katas / f"{name}.py").write_text(source, encoding="utf-8")


def debugged(home: workspace.Workspace, name: str) -> tuple[int, str]:
    out = io.StringIO()
    code = debugger.debug(name, False, out, 80, home.root)
    return code, out.getvalue()


@pytest.mark.parametrize("name", CALLS)
def test_the_reference_is_right_about_every_call(home: workspace.Workspace, name: str) -> None:
    """Exit code 0 for a right answer, whatever the kata changes or reads."""
    failed(home, name)
    write(home, name, catalog.find(name).reference.read_text(encoding="utf-8"))
    code, text = debugged(home, name)
    assert code == 0
    assert "The answer is right." in text


def test_a_wrong_answer_stands_beside_the_right_one(
    home: workspace.Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1; prints come straight through, and nothing is left in the folder."""
    failed(home, "encode_bpe")
    write(home, "encode_bpe", "def encode_bpe(word, merges):\n    print('hi')\n    return [word]\n")
    code, text = debugged(home, "encode_bpe")
    assert code == 1
    assert "yours      ['steat']" in text
    assert "expected   ['s', 't', 'eat']" in text
    assert capsys.readouterr().out == "hi\n"
    assert not (home.katas / "__pycache__").exists()


def test_a_changed_argument_is_shown(home: workspace.Workspace) -> None:
    """Its name, what it became, what it should have stayed."""
    failed(home, "merge_and_update")
    source = "def merge_and_update(words, counts, stats, where, pair):\n    return [0]\n"
    write(home, "merge_and_update", source)
    code, text = debugged(home, "merge_and_update")
    assert code == 1
    assert "words, after the call:" in text
    assert "stats, after the call:" in text
    assert "where" not in text.partition("stats, after")[2]


def test_an_exception_is_shown_from_your_file_on(
    home: workspace.Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, the traceback without the grader's own frames."""
    failed(home, "encode_bpe")
    write(home, "encode_bpe", "def encode_bpe(word, merges):\n    return merges[99]\n")
    assert debugged(home, "encode_bpe")[0] == 1
    told = capsys.readouterr().err
    assert "IndexError" in told
    assert told.count("File ") == 1


def test_what_only_the_sandbox_sees_is_said(home: workspace.Workspace) -> None:
    """A right answer to a call that failed for another reason keeps that reason."""
    failed(home, "encode_bpe", note="you read word 17")
    write(home, "encode_bpe", catalog.find("encode_bpe").reference.read_text())
    assert "only the sandbox sees: you read word 17." in debugged(home, "encode_bpe")[1]


def test_without_a_counterexample_debug_says_what_finds_one(home: workspace.Workspace) -> None:
    """One sentence."""
    with pytest.raises(UsageError, match="has no counterexample yet; `kata run encode_bpe`"):
        debugged(home, "encode_bpe")


@pytest.mark.parametrize(
    ("source", "stops"),
    [
        ("breakpoint()", True),
        ("import pdb\npdb.set_trace()", True),
        ("# breakpoint()", False),
        ("def f(:", False),
    ],
)
def test_a_file_that_stops_itself_is_noticed(source: str, stops: bool) -> None:
    """Then there is no second stop at the first line."""
    assert replay.stops_itself(source) is stops


# --- repro -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", CALLS)
def test_the_files_run_alone(home: workspace.Workspace, name: str) -> None:
    """The script prints yours and what was due; the test passes for the reference."""
    failed(home, name, note="you changed the argument `merges`" if name == "encode_bpe" else None)
    write(home, name, catalog.find(name).reference.read_text(encoding="utf-8"))
    script, test = repro.write(name, None, home.root)
    assert (script, test) == (
        home.root / "repro" / f"{name}.py",
        home.root / "repro" / f"test_{name}.py",
    )
    run = subprocess.run(
        [sys.executable, "-B", script], capture_output=True, text=True, cwd="/", check=True
    )
    lines = run.stdout.splitlines()
    for yours, expected in zip(lines[::2], lines[1::2], strict=True):
        assert yours.replace("yours   ", "") == expected.replace("expected", "")
    space: dict[str, Any] = {"__file__": str(test)}
    exec(compile(test.read_text(encoding="utf-8"), test, "exec"), space)
    next(value for key, value in space.items() if key.startswith("test_"))()
    sys.modules.pop(name, None)


def test_files_that_exist_stay(home: workspace.Workspace) -> None:
    """The same counterexample is the same file; another one gets a number."""
    failed(home, "encode_bpe")
    first = repro.write("encode_bpe", None, home.root)
    assert repro.write("encode_bpe", None, home.root) == first
    first[0].write_text("# my notes")
    script, test = repro.write("encode_bpe", None, home.root)
    assert script.name == "encode_bpe_2.py"
    assert test.name == "test_encode_bpe_2.py"
    assert first[0].read_text() == "# my notes"


def test_a_folder_elsewhere_still_finds_your_file(
    home: workspace.Workspace, tmp_path: Path
) -> None:
    """`--output DIR` writes the way to `katas/` into the files."""
    failed(home, "pair_counts")
    script, _ = repro.write("pair_counts", tmp_path / "a" / "b", home.root)
    assert os.path.join("..", "..", "my", "katas") in script.read_text()
