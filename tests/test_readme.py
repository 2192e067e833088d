"""The README's commands are the ones CI runs, and what it shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

if not (ROOT / "README.md").is_file():
    pytest.skip("not a checkout", allow_module_level=True)


def pip_commands() -> list[str]:
    """The two commands the README shows for venv and pip."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^python3 -m venv .*$", readme, flags=re.MULTILINE)


def test_ci_runs_the_readmes_commands() -> None:
    """`.ci/run` holds exactly the README's pip pair, in that order."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = re.findall(r"^python3 -m venv .*$", script, flags=re.MULTILINE)
    assert commands == pip_commands()
    assert len(commands) == 2


def test_the_first_command_is_the_main_job_and_the_second_the_tests() -> None:
    """One grades a solution with timing, one runs the tests."""
    first, second = pip_commands()
    assert re.search(r"kata run \w+ --solution reference$", first)
    assert second.endswith("-m pytest")


def test_the_readme_names_every_kata() -> None:
    """A reader finds all six in the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / "reference").glob("*.toml"):
        assert f"`{path.stem}`" in readme


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda path: path.name)
def test_every_page_is_reachable(page: Path) -> None:
    """The README links every page of the documentation."""
    assert f"docs/{page.name}" in (ROOT / "README.md").read_text(encoding="utf-8")
