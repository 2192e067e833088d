"""Grading forks from end to end: marks, exit codes, resuming, and what a fork cannot do."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader import batch, catalog, doctor, grading, marks, pool
from grader.errors import IsolationTooLow, UsageError
from grader.gradebook import Entry, Mark, Origin
from grader.grading import Request
from grader.model import Isolation
from grader.render.batch import lines
from grader.render.json import verdicts
from grader.sandbox import policy
from tests import forks
from tests.cohorts import mark, wrong

ROOT = Path(grading.__file__).resolve().parent.parent
KATAS = ("pair_counts", "merge_pair")
WRONG = b"def merge_pair(symbols, pair):\n    print('seen')\n    return symbols\n"


def right(kata: str) -> tuple[str, bytes]:
    return ("100644", forks.reference(kata))


def grade(**options: Any) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a request."""
    out, err = io.StringIO(), io.StringIO()
    request = Request(**{"katas": KATAS, "seed": 7, "jobs": 2, **options})
    return grading.run(request, out, err), out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five students: right, wrong, hostile, missing, and a folder that is nothing."""
    folder = tmp_path_factory.mktemp("course")
    both = {f"katas/{kata}.py": right(kata) for kata in KATAS}
    forks.commit(forks.bare(folder / "ada.git"), both)
    forks.commit(forks.bare(folder / "bob.git"), {**both, "katas/merge_pair.py": ("100644", WRONG)})
    hostile = b"import os\nos._exit(0)\n"
    forks.commit(
        forks.bare(folder / "eve.git"), {**both, "katas/merge_pair.py": ("100755", hostile)}
    )
    link = {"katas/merge_pair.py": ("120000", b"pair_counts.py")}
    forks.commit(forks.bare(folder / "joe.git"), link)
    (folder / "zoe").mkdir()
    return folder


@pytest.fixture(scope="module")
def graded(course: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """The class graded once, with the folder of its results."""
    results = tmp_path_factory.mktemp("results") / "r"
    code, out, err = grade(paths=(course,), results=results, format="json")
    assert code == 0, err
    return json.loads(out), results


def outcomes(document: dict[str, Any]) -> dict[str, list[str]]:
    return {s["student"]: [m["result"] for m in s["katas"]] for s in document["students"]}


def test_everybody_gets_the_mark_they_earned(graded: tuple[dict[str, Any], Path]) -> None:
    """A broken or hostile fork costs its owner and nobody else."""
    document, _ = graded
    assert outcomes(document) == {
        "ada": ["PASS", "PASS"],
        "bob": ["PASS", "WRONG"],
        "eve": ["PASS", "CRASH"],
        "joe": ["MISSING", "SYMLINK"],
        "zoe": ["MISSING", "MISSING"],
    }
    points = {student["student"]: student["points"] for student in document["students"]}
    assert points == {"ada": 2, "bob": 1, "eve": 1, "joe": 0, "zoe": 0}


def test_a_report_can_be_defended(graded: tuple[dict[str, Any], Path]) -> None:
    """Hash of the file and of the suite, versions, seed, isolation, commit."""
    document, _ = graded
    ada = document["students"][0]
    report = ada["katas"][0]["report"]
    assert report["seed"] == document["batch"]["seed"] == 7
    assert report["isolation"]["level"] == "full"
    assert report["submission"]["sha256"] == ada["katas"][0]["sha256"]
    assert report["versions"]["suite"] == document["batch"]["suites"]["pair_counts"]
    assert report["versions"]["bpe-kata"]
    assert len(ada["commit"]) == 40
    assert ada["katas"][0]["similar"]
    assert not ada["katas"][0]["statement_changed"]
    assert document["students"][1]["katas"][1]["statement_changed"]


def test_what_hidden_cases_expect_is_for_the_instructor(
    graded: tuple[dict[str, Any], Path], course: Path
) -> None:
    """It is in the results folder, which is private, and in no format without --reveal."""
    document, results = graded
    assert (results.stat().st_mode & 0o777) == 0o700
    (path,) = results.glob("bob-*.json")
    kept = json.loads(path.read_text())["students"][0]["katas"][1]["report"]["cases"]
    shown = document["students"][1]["katas"][1]["report"]["cases"]
    hidden = [case for case in shown if case["tier"] == "law" and case["outcome"] == "WRONG"]
    assert hidden
    assert all(case["counterexample"]["expected"] is None for case in hidden)
    assert all(case["counterexample"]["yours"] for case in hidden)
    full = {case["id"]: case for case in kept}
    assert any(full[case["id"]]["counterexample"]["expected"] for case in hidden)
    _, out, _ = grade(paths=(course,), results=results, format="json", reveal=True)
    assert json.loads(out)["students"][1]["katas"][1]["report"]["cases"] == kept


def test_a_batch_goes_on_where_it_stopped(
    graded: tuple[dict[str, Any], Path], course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is missing, half-written or changed is graded again; the seed is the first one."""
    document, results = graded
    next(results.glob("bob-*.json")).unlink()
    next(results.glob("joe-*.json")).write_text("{")
    judged = []
    real = pool.grade
    monkeypatch.setattr(
        batch, "grade", lambda w, job, until: judged.append(job.snapshot.student) or real(w, job)
    )
    code, out, err = grade(paths=(course,), results=results, format="json", seed=None)
    assert code == 0
    assert sorted(judged) == ["bob", "joe"]
    assert "graded before" in err
    assert verdicts(json.loads(out)) == verdicts(document)
    with pytest.raises(UsageError, match="begun with other katas, suites"):
        grade(paths=(course,), results=results, katas=("pair_counts",), seed=None)
    with pytest.raises(UsageError, match="begun with other seed"):
        grade(paths=(course,), results=results, seed=8)


def test_a_killed_batch_ends_with_the_same_verdicts(
    graded: tuple[dict[str, Any], Path], course: Path, tmp_path: Path
) -> None:
    """`kill -9` after the first result, then the same command: the same, byte for byte."""
    document, _ = graded
    code = "import sys; from grader.cli import main; sys.exit(main())"
    command = [
        sys.executable, "-P", "-c", code, "grade", str(course), "--katas", ",".join(KATAS),
        "--seed", "7", "--jobs", "1", "--results", str(tmp_path / "r"), "--format", "json",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith(b"1/5 ada")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(list((tmp_path / "r").glob("*-*.json"))) < 5
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, check=True, timeout=120
    )
    assert json.dumps(verdicts(json.loads(done.stdout))) == json.dumps(verdicts(document))


# --- one fork --------------------------------------------------------------------------


def test_a_fork_grades_itself_in_ci_and_cannot_help_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`kata grade .`: nothing of the fork is imported, configured or kept."""
    trap = "raise SystemExit('imported')\n"
    root = forks.checkout(tmp_path / "fork", {"pair_counts": forks.reference("pair_counts")})
    for name in ("conftest", "sitecustomize", "multiprocessing", "json", "grader", "pytest"):
        (root / f"{name}.py").write_text(trap)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-p traps'\n")
    (root / ".hypothesis").write_text("")
    before = sorted(root.rglob("*"))
    code = "import sys; from grader.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "grade", ".", "--katas", "pair_counts", "--seed", "7"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1 passed" in done.stdout
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize(
    ("results", "several", "strict", "code"),
    [
        (["PASS", "PASS"], False, False, 0),
        (["PASS", "MISSING"], False, False, 1),
        (["PASS", "BROKEN"], False, False, 3),
        (["PASS", "NOT_GRADED"], False, False, 3),
        (["PASS", "WRONG"], True, False, 0),
        (["PASS", "WRONG"], True, True, 1),
        (["WRONG", "BROKEN"], True, False, 3),
    ],
)
def test_exit_codes(results: list[str], several: bool, strict: bool, code: int) -> None:
    """One fork as `run`; a batch is done when everybody has a mark."""
    entry = Entry("x", Origin("x"), tuple(Mark("k", result) for result in results))
    assert grading.exit_code([entry], several, strict) == code


def test_private_tests_count_and_are_named(tmp_path: Path) -> None:
    """They see the same fixtures; a wrong solution they catch fails."""
    root = forks.checkout(tmp_path / "fork", {"merge_pair": forks.reference("merge_pair")})
    private = tmp_path / "private"
    private.mkdir()
    (private / "test_merge_pair_more.py").write_text(
        "from grader.expect import same\n"
        "def test_mine(solution, reference):\n"
        '    """A private law."""\n'
        "    same(solution.merge_pair(('a', 'b'), ('a', 'b')), ('no',))\n"
    )
    code, out, _ = grade(
        paths=(root,), katas=("merge_pair",), extra_tests=private, format="json", reveal=True
    )
    (report,) = [m["report"] for m in json.loads(out)["students"][0]["katas"]]
    assert code == 1
    assert report["cases"][-1]["id"] == "extra/mine"
    assert report["cases"][-1]["outcome"] == "WRONG"
    assert report["versions"]["suite"] != json.loads(out)["batch"]["suites"]["merge_pair"]


def test_a_spent_budget_is_said_and_not_kept(course: Path, tmp_path: Path) -> None:
    """Exit code 3; nobody has a mark they did not earn."""
    code, out, err = grade(
        paths=(course,), results=tmp_path / "r", time_budget="0.001s", format="json"
    )
    assert code == 3
    assert {result for each in outcomes(json.loads(out)).values() for result in each} == {
        "NOT_GRADED"
    }
    assert "5 of 5 were not graded" in err
    assert not list((tmp_path / "r").glob("*-*.json"))


def test_a_machine_below_the_floor_grades_nobody(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops before the first submission, with exit code 3."""
    monkeypatch.setattr(doctor, "measured", lambda name: Isolation("partial", name))
    with pytest.raises(IsolationTooLow) as caught:
        grade(paths=(course,), results=tmp_path / "r")
    assert caught.value.exit_code == 3
    assert not (tmp_path / "r").exists()


def test_a_judge_that_dies_costs_one_kata(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its death is BROKEN, and the next request is answered."""
    worker = pool.Worker()
    try:
        request = {"kata": "merge_pair", "seconds": 1, "source": "", "path": "x"}
        assert "ended early" in worker.ask(request)["broken"]  # no `seed`: it raises
        good = {**request, "seed": 7, "timing": False, "require_isolation": "full", "extra": []}
        assert worker.ask(good)["report"]["outcome"] == "RAISED"
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        assert "died" in worker.ask(good)["broken"]
        assert worker.ask(good)["report"]["outcome"] == "RAISED"
    finally:
        worker.close()


def test_a_worker_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens of the environment stay in the parent."""
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    worker = pool.Worker()
    try:
        process = worker._started()
        environment = Path(f"/proc/{process.pid}/environ")
        if environment.exists():
            assert b"secret" not in environment.read_bytes()
    finally:
        worker.close()


# --- options ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deadline": "tomorrow"}, "no time with a zone"),
        ({"deadline": "2025-03-01T00:00:00"}, "no time with a zone"),
        ({"time_budget": "soon"}, "write 90s"),
        ({"katas": ("merge_pai",)}, "did you mean 'merge_pair'"),
        ({"paths": (Path("/nowhere"),)}, "There is no folder"),
        ({"paths": ()}, "Give a checkout"),
        ({"format": "gradescope", "roster": Path("x.csv")}, "is for one submission"),
        ({"extra_tests": Path("/nowhere")}, "is no folder"),
        ({"weights": Path("/nowhere")}, "give a TOML file"),
        ({"output": Path("/nowhere/x")}, "cannot be written"),
    ],
)
def test_a_bad_option_is_one_sentence(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    """Before anything is graded."""
    (tmp_path / "katas").mkdir()
    with pytest.raises(UsageError, match=said):
        grade(**{"paths": (tmp_path,), **options})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[points]\nmerge_pai = 1", "did you mean 'merge_pair'"),
        ("[points]\nmerge_pair = -1", "0 or more"),
        ("[points]\nmerge_pair = nan", "0 or more"),
        ("[points]\nmerge_pair = true", "0 or more"),
        ("[points]\nmerge_pair = 0\npair_counts = 0", "worth nothing"),
        ("partial = 1", "true or false"),
        ("points = 1", "must be a table"),
        ("x = 1", "unknown key 'x'"),
        ("[", "not valid TOML"),
    ],
)
def test_bad_weights_are_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """They name the file, the key and the remedy."""
    path = tmp_path / "weights.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        marks.load(path, KATAS)


def test_points_are_all_or_nothing_or_a_share(tmp_path: Path) -> None:
    """A share of the cases that count, stretch left out; an unwritten file earns none."""
    path = tmp_path / "weights.toml"
    path.write_text("partial = true\n[points]\nencode_bpe = 22\n")
    entry = Entry("x", Origin("x"), (wrong(), mark("merge_pair")))
    shared = marks.marked(entry, marks.load(path, ("encode_bpe",)))
    assert [(m.points, m.max_points) for m in shared.marks] == [(20.0, 22.0), (1.0, 1.0)]
    whole = marks.marked(entry, marks.Weights())
    assert (whole.points, whole.max_points) == (1.0, 2.0)
    unwritten = Mark("encode_bpe", "UNWRITTEN", report=entry.marks[0].report)
    assert marks.marked(Entry("x", Origin("x"), (unwritten,)), shared_weights()).points == 0


def shared_weights() -> marks.Weights:
    return marks.Weights({}, partial=True)


def test_names_cannot_leave_the_results_folder(tmp_path: Path) -> None:
    """Two names never share a file, whatever is in them."""
    results = batch.Results(tmp_path, {"seed": 1})
    names = ["../../etc/passwd", "..", "", "a/b", "a_b", "a" * 500, "ä", "\0", "-rf"]
    paths = {results.path(name) for name in names}
    assert len(paths) == len(names)
    assert {path.parent for path in paths} == {tmp_path}


def test_two_batches_never_share_a_folder(tmp_path: Path) -> None:
    """The second one says so."""
    with (
        batch.Results(tmp_path / "r", {"seed": 1}),
        pytest.raises(UsageError, match="Another batch"),
        batch.Results(tmp_path / "r", {"seed": 1}),
    ):
        pass


def test_progress_without_a_terminal_is_a_line_a_student() -> None:
    """Hostile names are made visible."""
    out = io.StringIO()
    lines(2, out)(Entry("a\x1b[2J", Origin("x"), (Mark("k", "PASS"),), 1.0), False)
    assert out.getvalue() == "1/2 a\\x1b[2J  1 of 1 passed  1.0 s\n"


def test_every_policy_has_a_floor() -> None:
    """A kata of a new policy cannot be graded without one."""
    assert {kata.policy for kata in catalog.all_katas()} <= set(doctor.FLOORS)
    assert set(doctor.FLOORS.values()) <= set(policy.LEVELS)
