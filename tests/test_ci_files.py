"""What people copy into their CI: pinned, with the least permission, and it runs."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader import autograder
from grader.autograder import Build
from grader.errors import UsageError
from tests import forks

ROOT = Path(__file__).resolve().parent.parent

if not (ROOT / "action.yml").is_file():
    pytest.skip("not a checkout", allow_module_level=True)

ACTION = ROOT / "action.yml"
WORKFLOWS = [ROOT / ".github" / "workflows" / "grade.yml", ROOT / "ci" / "classroom.yml"]


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> Iterator[dict[str, Any]]:
    document = read(path)
    if "runs" in document:
        yield from document["runs"]["steps"]
    for job in document.get("jobs", {}).values():
        yield from job["steps"]


# --- GitHub and GitLab -----------------------------------------------------------------


@pytest.mark.parametrize("path", [ACTION, *WORKFLOWS], ids=lambda path: path.name)
def test_actions_of_others_are_pinned(path: Path) -> None:
    """By a whole commit, with the version beside it; ours by what the instructor names."""
    text = path.read_text(encoding="utf-8")
    for used in (step["uses"] for step in steps(path) if "uses" in step):
        if used.startswith("./") or used == "OWNER/bpe-kata@SHA":
            continue
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used)
        assert re.search(rf"{used} # v\d", text)


@pytest.mark.parametrize("path", [ACTION, *WORKFLOWS], ids=lambda path: path.name)
def test_no_expression_is_pasted_into_a_script(path: Path) -> None:
    """Inputs reach a shell through its environment only."""
    assert not [step for step in steps(path) if "${{" in step.get("run", "")]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_little(path: Path) -> None:
    """No permission at the top, reading in the job, no secret, no token left behind."""
    document = read(path)
    text = path.read_text(encoding="utf-8")
    assert document["permissions"] == {}
    (job,) = document["jobs"].values()
    assert set(job["permissions"].items()) <= {("contents", "read"), ("checks", "write")}
    assert "secrets" not in text.replace("secret,", "").replace("secret.", "")
    assert not {"pull_request_target", "workflow_run"} & set(document[True])  # YAML's `on`
    for step in job["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
            assert "path" in step["with"]


def test_the_official_workflow_only_reads() -> None:
    """Marks come from a job that can write nothing."""
    (job,) = read(WORKFLOWS[0])["jobs"].values()
    assert job["permissions"] == {"contents": "read"}


def test_the_action_installs_its_own_checkout() -> None:
    """No index has to have a release."""
    text = ACTION.read_text(encoding="utf-8")
    assert '"$GITHUB_ACTION_PATH"' in text
    assert "install bpe-kata" not in text
    inputs = read(ACTION)["inputs"]
    assert all(each["description"] and "default" in each for each in inputs.values())


def test_the_gitlab_template_reports_what_gitlab_reads() -> None:
    """The file of `--output` is the artifact."""
    job = read(ROOT / "ci" / "gitlab.yml")["grade-katas"]
    assert job["artifacts"]["reports"]["junit"] == "kata-junit.xml"
    assert job["artifacts"]["reports"]["junit"] in job["script"][0]
    assert "--format junit" in job["script"][0]


def test_the_action_grades_in_a_shell(tmp_path: Path) -> None:
    """Its last step, run as a runner would, with the grader of this checkout."""
    venv = tmp_path / "kata-grader" / "bin"
    shim(venv / "kata", ROOT)
    fork = forks.checkout(tmp_path / "fork", {"merge_pair": "merge_pair = 1\n"})
    step = next(step for step in steps(ACTION) if step.get("id") == "grade")
    names = dict.fromkeys(step["env"], "")
    files = {"GITHUB_OUTPUT": tmp_path / "output", "GITHUB_STEP_SUMMARY": tmp_path / "summary"}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "RUNNER_TEMP": str(tmp_path),
            **names,
            "FORK": str(fork),
            "KATAS": "merge_pair",
            "REPORT": str(tmp_path / "report.json"),
            **{name: str(path) for name, path in files.items()},
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "::error file=katas/merge_pair.py,line=1,title=merge_pair RAISED::" in done.stdout
    assert "of type int, not a function" in files["GITHUB_STEP_SUMMARY"].read_text()
    assert files["GITHUB_OUTPUT"].read_text().startswith("classroom=ey")
    assert json.loads((tmp_path / "report.json").read_text())["schema"] == "kata-grade/1"


# --- the hook --------------------------------------------------------------------------


def shim(path: Path, packages: Path) -> None:
    """A `kata` that runs the package found in `packages`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code = "import sys; from grader.cli import main; sys.exit(main())"
    path.write_text(f'#!/bin/sh\nPYTHONPATH={packages} exec {sys.executable} -P -c "{code}" "$@"\n')
    path.chmod(0o755)


def test_the_hook_grades_what_is_pushed(tmp_path: Path) -> None:
    """A wrong kata holds the push back; a stub and other files do not."""
    bin_folder = tmp_path / "bin"
    shim(bin_folder / "kata", ROOT)
    root = forks.checkout(tmp_path / "fork", {"notes": "x"})
    forks.git(root, "init", "--quiet", "--initial-branch=main")
    forks.git(root, "add", ".")
    forks.git(root, "commit", "--quiet", "-m", "x")
    first = forks.git(root, "rev-parse", "HEAD")
    (root / "katas" / "merge_pair.py").write_text("merge_pair = 1\n")
    (root / "katas" / "pair_counts.py").write_text(
        "def pair_counts(x):\n    raise NotImplementedError\n"
    )
    forks.git(root, "add", ".")
    forks.git(root, "commit", "--quiet", "-m", "y")
    second = forks.git(root, "rev-parse", "HEAD")

    def push(new: str, old: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ROOT / "ci" / "pre-push"],
            cwd=root,
            env={"PATH": f"{bin_folder}:{os.environ['PATH']}"},
            input=f"refs/heads/main {new} refs/heads/main {old}\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    assert push(first, "0" * 40).returncode == 0
    done = push(second, first)
    assert done.returncode == 1
    assert "merge_pair" in done.stderr
    assert "pair_counts" not in done.stderr
    assert "git push --no-verify" in done.stderr


# --- Gradescope ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked as Gradescope does it, with the wheel's packages as `kata`."""
    folder = tmp_path_factory.mktemp("gradescope")
    weights = folder / "weights.toml"
    weights.write_text("[points]\nmerge_pair = 5\n")
    out = autograder.build(Build(folder / "a.zip", ("merge_pair",), weights=weights))
    root = folder / "autograder"
    for name in ("source", "submission", "results"):
        (root / name).mkdir(parents=True)
    with zipfile.ZipFile(out) as archive:
        archive.extractall(root / "source")
        modes = {i.filename: stat.S_IMODE(i.external_attr >> 16) for i in archive.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    (wheel,) = (root / "source").glob("bpe_kata-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    shim(root / "venv" / "bin" / "kata", folder / "site")
    return root


def run_autograder(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", root / "source" / "run_autograder"],
        env={"PATH": os.environ["PATH"], "AUTOGRADER_ROOT": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_gradescope_gets_a_result_from_what_was_uploaded(package: Path) -> None:
    """A file without its folder counts; the points are those of the packed weights."""
    uploaded = package / "submission" / "merge_pair.py"
    uploaded.write_bytes(forks.reference("merge_pair"))
    done = run_autograder(package)
    assert done.returncode == 0, done.stderr
    result = json.loads((package / "results" / "results.json").read_text())
    assert (result["score"], result["tests"][0]["max_score"]) == (5, 5)
    uploaded.unlink()
    uploaded.symlink_to("/etc/passwd")
    assert run_autograder(package).returncode == 0  # graded, not passed
    result = json.loads((package / "results" / "results.json").read_text())
    assert result["tests"][0]["output"].startswith("SYMLINK")


def test_a_fault_of_the_grader_leaves_no_result(package: Path) -> None:
    """Gradescope then shows the instructor that something is wrong, and nobody has 0 points."""
    (package / "results" / "results.json").write_text("{}")
    (package / "source" / "weights.toml").write_text("[")
    assert run_autograder(package).returncode == 2
    assert not (package / "results" / "results.json").exists()


def test_the_same_checkout_gives_the_same_zip(tmp_path: Path) -> None:
    """Names, dates and contents."""
    files: dict[str, tuple[bytes, int]] = {"b": (b"x", 0o644), "a": (b"y", 0o755)}
    assert autograder._zip(files) == autograder._zip(dict(reversed(files.items())))
    with pytest.raises(UsageError, match="--output"):
        autograder.build(Build(Path("/nowhere/x.zip")))
