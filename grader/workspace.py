"""The learner's folder: find it, make a new one, remember the last report of each kata.

A workspace is any folder with a `katas/` folder that holds a kata's file. What the
product remembers lies in `.kata/` beside it: the last report of each kata in the
public JSON format. Every file is written aside and then put in place.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from grader import catalog
from grader.errors import UsageError
from grader.model import Kata, Outcome, Report

REPORT_FORMAT = "kata-report/1"

_GITIGNORE = """\
.kata/
__pycache__/
.venv/
"""

_PYPROJECT = """\
[project]
name = "my-katas"
version = "0"
requires-python = ">=3.11"
dependencies = ["bpe-kata"]

[tool.uv]
package = false

# Plain `pytest` grades your katas: the examples of the statements, and the hidden suites in the
# sandbox. `kata run` says more: the smallest counterexample, the known mistake, your time.
[tool.pytest.ini_options]
addopts = [
    "-p", "grader.pytest_katas",
    "--doctest-modules",
    "--import-mode=importlib",
    "--continue-on-collection-errors",
]
testpaths = ["katas"]
"""

_README = """\
# My katas

Six functions to write, from counting pairs to a byte-level BPE trainer. Each file in
`katas/` holds a statement, a signature and examples.

    kata                      where you are, and what comes next
    kata show pair_counts     read a statement
    kata run pair_counts      grade and time what you wrote
    kata watch                grade on each save
    kata hint pair_counts     the next hint
    kata run --all            grade everything

Plain `pytest` grades them, too. `.kata/` keeps every version that was graded, with its verdict;
it is yours alone and not committed.
"""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with the learner's `katas/`."""

    root: Path

    @property
    def katas(self) -> Path:
        return self.root / "katas"

    def file(self, kata: Kata) -> Path:
        """Where the learner writes this kata."""
        return self.katas / f"{kata.name}.py"

    def remember(self, report: Report, data: Mapping[str, Any]) -> None:
        """Keep `data`, the report's JSON object, as the last report of its kata.

        Never raises for a folder that cannot be written: a verdict is worth more.
        """
        with suppress(OSError):
            folder = self.root / ".kata" / "last"
            folder.mkdir(parents=True, exist_ok=True)
            if _is_newer(folder / f"{report.kata.name}.json"):
                return
            text = json.dumps(data, indent=1) + "\n"
            write_atomically(folder / f"{report.kata.name}.json", text.encode())

    def state(self, kata: Kata) -> str:
        """`missing`, `unwritten`, `new`, `changed`, `passed`, or the last outcome's name."""
        try:
            source = self.file(kata).read_bytes()
        except OSError:
            return "missing"
        if source == kata.stub.encode():
            return "unwritten"
        last = self._last(kata)
        if last is None:
            return "new"
        outcome, digest = last
        if digest != sha256(source).hexdigest():
            return "changed"
        return {"PASS": "passed", "UNWRITTEN": "unwritten"}.get(outcome, outcome)

    def next_kata(self, katas: Iterable[Kata]) -> Kata | None:
        """The first kata that has not passed."""
        return next((kata for kata in katas if self.state(kata) != "passed"), None)

    def _last(self, kata: Kata) -> tuple[str, str] | None:
        """Outcome and hash of the last report; None without one that can be read."""
        try:
            path = self.root / ".kata" / "last" / f"{kata.name}.json"
            data = json.loads(path.read_text(encoding="utf-8"))
            report = data["reports"][0]
            outcome, digest = Outcome(report["outcome"]), report["submission"]["sha256"]
        except (OSError, ValueError, LookupError, TypeError):
            return None
        known = data.get("schema") == REPORT_FORMAT and isinstance(digest, str)
        return (outcome.value, digest) if known else None


def _is_newer(path: Path) -> bool:
    """Whether the file is a report of a later format; it is not ours to replace."""
    with suppress(OSError, ValueError, AttributeError, TypeError):
        schema = json.loads(path.read_text(encoding="utf-8")).get("schema")
        found = re.fullmatch(r"kata-report/(\d+)", schema)
        return found is not None and int(found[1]) > 1
    return False


def find(start: Path) -> Workspace | None:
    """The nearest workspace at `start` or above it, as seen from there."""
    stems = {card.stem for card in catalog.places().reference.glob("*.toml")}
    for folder in (start, *start.parents):
        if _holds_katas(folder / "katas", stems):
            return Workspace(folder)
    return None


def create(folder: Path, katas: Iterable[Kata]) -> list[Path]:
    """Fill `folder` with pristine stubs and what a workspace needs; return the files.

    Raises `UsageError`, having written nothing, when one of them exists.
    """
    files = {folder / "katas" / f"{kata.name}.py": kata.stub for kata in katas}
    files[folder / ".gitignore"] = _GITIGNORE
    files[folder / "README.md"] = _README
    files[folder / "pyproject.toml"] = _PYPROJECT
    for path in files:
        if os.path.lexists(path):
            raise UsageError(f"{path} exists already, nothing was written; name a new folder.")
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode())
    except OSError as error:
        raise UsageError(f"{folder} cannot be filled: {error.strerror or error}.") from None
    return list(files)


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` at `path` whole or not at all; a symlink there is replaced, not followed."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _holds_katas(folder: Path, stems: set[str]) -> bool:
    return any((folder / f"{stem}.py").is_file() for stem in stems)
