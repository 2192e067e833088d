"""What a stranger gets: the wheel carries everything, and nothing it should not."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without the network."""
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("not a checkout")
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT],
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder the wheel is unpacked into, as an installation would."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def kata(installed: Path, here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from grader.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_wheel_holds_what_it_should(wheel: Path) -> None:
    """Stubs, references, cards, suites, corpus, schema and licences; no top-level tests."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("pair_counts", "merge_pair", "train_bpe", "encode_bpe", "merge_and_update"):
        assert {
            f"katas/{name}.py",
            f"reference/{name}.py",
            f"reference/{name}.toml",
            f"reference/naive/{name}.py",
            f"reference/mistakes/{name}.py",
            f"grader/_suites/hidden/test_{name}.py",
        } <= names
    assert {"reference/record/__init__.py", "reference/record/train.py"} <= names
    assert "grader/_suites/strategies.py" in names
    assert "grader/corpora/embedded.txt.xz" in names
    assert "grader/schemas/report-1.json" in names
    assert "grader/py.typed" in names
    assert "grader/interview/questions.toml" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/grader/corpora/NOTICES.md") for name in names)
    tops = {name.split("/")[0] for name in names}
    assert "tests" not in tops
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_an_installed_user_needs_no_checkout(installed: Path, tmp_path: Path) -> None:
    """`kata init`, a stub that is UNWRITTEN, and a reference that passes, from the wheel alone."""
    made = kata(installed, tmp_path, "init", "mine")
    assert made.returncode == 0, made.stderr
    stub = kata(installed, tmp_path / "mine", "run", "merge_pair", "--no-timing")
    assert stub.returncode == 1, stub.stderr
    assert "kata show merge_pair" in stub.stdout
    passed = kata(installed, tmp_path, "run", "merge_pair", "--solution", "reference")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "PASS" in passed.stdout
    assert "embedded" in passed.stdout


def test_nothing_names_a_registry(installed: Path) -> None:
    """No file of the project names a package registry's host; there is no lock file."""
    tracked = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False
    ).stdout.split()
    assert not [name for name in tracked if name.endswith((".lock", "lock.json"))]
