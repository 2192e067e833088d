"""A mark that is doubted: graded again and compared, or the hidden case shown whole."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from grader import appeal, grading
from grader.errors import UsageError
from grader.grading import Request
from tests import forks

WRONG = b"def merge_pair(symbols, pair):\n    print('seen')\n    return symbols[:1]\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A bare repository, the student's file of the results folder, and the public report."""
    folder = tmp_path_factory.mktemp("appeal")
    repo = forks.bare(folder / "ada.git")
    forks.commit(repo, {"katas/merge_pair.py": ("100644", WRONG)})
    public = folder / "public.json"
    request = Request(
        (repo,), katas=("merge_pair", "pair_counts"), seed=7, jobs=1, format="json",
        output=public, results=folder / "r",
    )  # fmt: skip
    assert grading.run(request, io.StringIO(), io.StringIO()) == 1
    (kept,) = (folder / "r").glob("ada-*.json")
    return repo, kept, public


def verify(report: Path, repo: Path) -> tuple[int, str]:
    out = io.StringIO()
    return appeal.verify(report, repo, None, None, out), out.getvalue()


def explain(report: Path, case: str, repo: Path | None = None) -> str:
    out = io.StringIO()
    assert appeal.explain(report, case, None, None, repo, out, 100) == 0
    return out.getvalue()


def failing(report: Path) -> dict[str, Any]:
    """The first law that failed, as the report has it."""
    cases = json.loads(report.read_text())["students"][0]["katas"][1]["report"]["cases"]
    return next(c for c in cases if c["tier"] == "law" and c["outcome"] == "WRONG")


def changed(report: Path, folder: Path, edit: Any) -> Path:
    """A copy of a report with something else in its first judged kata."""
    data = json.loads(report.read_text())
    edit(data["students"][0]["katas"][1]["report"])
    path = folder / "changed.json"
    path.write_text(json.dumps(data))
    return path


def test_a_report_is_reproduced_from_the_commit(graded: tuple[Path, Path, Path]) -> None:
    """Also the one students see, and also when the student has pushed since."""
    repo, kept, public = graded
    forks.commit(repo, {"katas/merge_pair.py": ("100644", b"# pushed later\n")})
    said = "pair_counts: MISSING, the same.\nmerge_pair: WRONG, the same.\n"
    assert verify(kept, repo) == (0, said)
    assert verify(public, repo) == (0, said)
    assert not json.loads(public.read_text())["revealed"]


def test_a_verdict_that_differs_is_found(graded: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """A mark that was edited by hand does not stand."""
    repo, kept, _ = graded

    def edit(report: dict[str, Any]) -> None:
        report["cases"][-1]["outcome"] = "PASS"

    code, said = verify(changed(kept, tmp_path, edit), repo)
    assert code == 1
    assert "merge_pair: DIFFERS: WRONG in the report, other cases now." in said


def test_other_versions_are_named(graded: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Exit code 3, with each version, and nothing is graded."""
    repo, kept, _ = graded

    def edit(report: dict[str, Any]) -> None:
        report["versions"] |= {"hypothesis": "1.0", "suite": "0" * 64}

    code, said = verify(changed(kept, tmp_path, edit), repo)
    assert code == 3
    assert "Graded with hypothesis 1.0; here it is " in said
    assert "The suite of merge_pair is not the one of the report" in said
    assert "cannot be reproduced here" in said


def test_another_repository_is_refused(graded: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """The file's hash is what was graded."""
    _, kept, _ = graded
    other = forks.bare(tmp_path / "other.git")
    forks.commit(other, {"katas/merge_pair.py": ("100644", b"# other\n")})
    with pytest.raises(UsageError, match="is not what was graded"):
        verify(kept, other)


def test_the_instructor_sees_a_hidden_case_whole(graded: tuple[Path, Path, Path]) -> None:
    """Law, test, call, both values and the prints."""
    _, kept, _ = graded
    case = failing(kept)
    text = explain(kept, case["id"])
    assert case["title"] in text
    assert f"def test_{case['id'].partition('[')[0]}(" in text
    assert "expected" in text
    assert "seen" in text


def test_a_public_report_needs_the_repository(
    graded: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """It does not hold what was expected; graded again, it is shown."""
    repo, kept, public = graded
    case = failing(kept)["id"]
    with pytest.raises(UsageError, match="--repo PATH"):
        explain(public, case)
    shown = explain(public, case, repo)
    assert shown == explain(kept, case)
    with pytest.raises(UsageError, match="no case 'nothing'"):
        explain(kept, "nothing")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "x"}', "[" * 100_000])
def test_what_is_no_report_is_one_sentence(tmp_path: Path, text: str) -> None:
    """Whatever is in the file."""
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="is no report"):
        appeal.load(path)
    with pytest.raises(UsageError, match="No such file"):
        appeal.load(tmp_path / "nothing")
