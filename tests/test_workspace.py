"""The learner's folder: found from anywhere inside, made once, never overwritten."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from grader import catalog, workspace
from grader.errors import UsageError
from grader.model import Kata, Outcome, Report, Submission
from grader.render import json as report_json
from tests.reports import make_report

KATAS = catalog.all_katas()
FIRST = KATAS[0]


@pytest.fixture
def home(tmp_path: Path) -> workspace.Workspace:
    workspace.create(tmp_path / "my", KATAS)
    return workspace.Workspace(tmp_path / "my")


def remember(home: workspace.Workspace, kata: Kata, outcome: Outcome, source: bytes) -> Report:
    submission = Submission(str(home.file(kata)), source, sha256(source).hexdigest())
    report = make_report(outcome, kata=kata, submission=submission)
    home.remember(report, report_json.to_dict([report]))
    return report


def test_a_workspace_is_found_from_inside(home: workspace.Workspace) -> None:
    """The nearest folder with katas, from the folder itself or any below it."""
    below = home.root / "notes" / "deep"
    below.mkdir(parents=True)
    for start in (home.root, home.katas, below):
        assert workspace.find(start) == home


def test_a_folder_without_katas_is_no_workspace(tmp_path: Path) -> None:
    """A folder that is merely called `katas` does not count."""
    (tmp_path / "katas").mkdir()
    (tmp_path / "katas" / "karate.py").touch()
    assert workspace.find(tmp_path) is None


def test_create_makes_what_a_learner_needs(home: workspace.Workspace) -> None:
    """The pristine stubs, and state that is not committed."""
    for kata in KATAS:
        assert home.file(kata).read_text(encoding="utf-8") == kata.stub
        assert home.state(kata) == "unwritten"
    assert ".kata/" in (home.root / ".gitignore").read_text().splitlines()
    assert "kata run" in (home.root / "README.md").read_text()
    assert tomllib.loads((home.root / "pyproject.toml").read_text())["project"]["dependencies"]


def plain_pytest(home: workspace.Workspace, *args: str) -> subprocess.CompletedProcess[str]:
    """`pytest` as a learner types it in a workspace, with the grader installed."""
    root = str(Path(workspace.__file__).resolve().parent.parent)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args],
        cwd=home.root,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_plain_pytest_grades_a_workspace(home: workspace.Workspace) -> None:
    """A right kata passes, a wrong one fails with its counterexample, a stub is skipped."""
    right, wrong = KATAS[0], KATAS[1]
    home.file(right).write_text(right.reference.read_text(encoding="utf-8"))
    home.file(wrong).write_text(f"def {wrong.name}(symbols, pair):\n    return symbols[99]\n")
    done = plain_pytest(home, "-q", "-rsf")
    assert done.returncode == 1, done.stdout + done.stderr
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert any(f"katas/{wrong.name}.py::test_" in line for line in failed)
    assert f"katas/{wrong.name}.py:2: return symbols[99]" in done.stdout
    assert f"katas/{right.name}.py::" not in "".join(failed)
    for stub in KATAS[2:]:
        assert f"{stub.name} is not written yet" in done.stdout


def test_plain_pytest_grades_one_file(home: workspace.Workspace) -> None:
    """The doctests and the suite of that kata, and no other; also from the folder itself."""
    home.file(FIRST).write_text(FIRST.reference.read_text(encoding="utf-8"))
    done = plain_pytest(home, "-q", "--co", f"katas/{FIRST.name}.py")
    assert f"{FIRST.name}.py::" in done.stdout
    cases = [line for line in done.stdout.splitlines() if "::test_" in line]
    assert cases
    assert all(case.startswith(f"katas/{FIRST.name}.py::test_") for case in cases)
    assert KATAS[1].name not in done.stdout
    one = plain_pytest(home, "-q", cases[0])
    assert "1 passed" in one.stdout


def test_plain_pytest_passes_over_a_fresh_workspace(home: workspace.Workspace) -> None:
    """Nothing is written, so nothing fails; the editor's test view shows every doctest."""
    done = plain_pytest(home, "-v")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(f"{kata.name}.py::" in done.stdout for kata in KATAS)
    assert "skipped" in done.stdout


@pytest.mark.parametrize("name", ["README.md", ".gitignore", f"katas/{FIRST.name}.py"])
@pytest.mark.parametrize("dangling", [False, True])
def test_create_overwrites_nothing(tmp_path: Path, name: str, dangling: bool) -> None:
    """One file in the way, be it a dead link, and nothing at all is written."""
    there = tmp_path / name
    there.parent.mkdir(exist_ok=True)
    if dangling:
        there.symlink_to(tmp_path / "nowhere")
    else:
        there.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match=there.name):
        workspace.create(tmp_path, KATAS)
    assert sorted(tmp_path.rglob("*")) == before


def test_create_says_why_it_cannot(tmp_path: Path) -> None:
    """A file where the folder should be is one sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be filled"):
        workspace.create(tmp_path / "file" / "my", KATAS)


def test_the_last_report_makes_the_state(home: workspace.Workspace) -> None:
    """Passed and failed hold for the very file that was judged, and no other."""
    file = home.file(FIRST)
    file.write_bytes(b"def f(): ...\n")
    assert home.state(FIRST) == "new"
    remember(home, FIRST, Outcome.WRONG, file.read_bytes())
    assert home.state(FIRST) == "WRONG"
    remember(home, FIRST, Outcome.PASS, file.read_bytes())
    assert home.state(FIRST) == "passed"
    assert home.next_kata(KATAS) == KATAS[1]
    file.write_bytes(b"def f(): return 1\n")
    assert home.state(FIRST) == "changed"
    file.unlink()
    assert home.state(FIRST) == "missing"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"schema": "kata-report/1", "reports": []}',
        '{"schema": "kata-report/1", "reports": [{"outcome": "WON"}]}',
        '{"schema": "kata-report/9", "reports": [{"outcome": "PASS", "submission": {}}]}',
        "\udcff",
    ],
)
def test_state_that_cannot_be_read_is_no_state(home: workspace.Workspace, text: str) -> None:
    """A damaged or newer file is left alone and taken for none."""
    home.file(FIRST).write_bytes(b"x = 1\n")
    last = home.root / ".kata" / "last" / f"{FIRST.name}.json"
    last.parent.mkdir(parents=True)
    last.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert home.state(FIRST) == "new"
    assert last.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_what_is_remembered_is_the_public_format(home: workspace.Workspace) -> None:
    """The last report on disk is the JSON anybody can read."""
    report = remember(home, FIRST, Outcome.WRONG, b"x")
    last = home.root / ".kata" / "last" / f"{FIRST.name}.json"
    assert json.loads(last.read_text()) == report_json.to_dict([report])


def test_remembering_follows_no_link(home: workspace.Workspace, tmp_path: Path) -> None:
    """A link planted in `.kata` cannot make us write elsewhere."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (home.root / ".kata" / "last").mkdir(parents=True)
    (home.root / ".kata" / "last" / f"{FIRST.name}.json").symlink_to(victim)
    remember(home, FIRST, Outcome.PASS, b"x")
    assert victim.read_text() == "precious"


def test_a_folder_that_cannot_be_written_loses_no_verdict(home: workspace.Workspace) -> None:
    """State is a comfort: without it a run still reports."""
    (home.root / ".kata").write_text("a file in the way")
    remember(home, FIRST, Outcome.PASS, b"x")
    assert (home.root / ".kata").read_text() == "a file in the way"


def test_writing_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure in the middle leaves the old file and no litter."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    workspace.write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        workspace.write_atomically(path, b"newer")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
