"""What a batch knows of each student: the files that were taken, and a mark for each kata.

Plain data with a way to JSON and back: a student's entry is written as soon as it is
known, and read again when a batch goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Found(StrEnum):
    """What lay where a kata's file should be. Only a FILE is judged."""

    FILE = "FILE"
    MISSING = "MISSING"
    SYMLINK = "SYMLINK"
    SUBMODULE = "SUBMODULE"
    LFS_POINTER = "LFS_POINTER"
    NOT_A_FILE = "NOT_A_FILE"  # a folder, a pipe, a device, a mode git should not have
    UNREADABLE = "UNREADABLE"  # binary, oversized, not UTF-8, no permission
    NO_COMMIT = "NO_COMMIT"  # no such revision, or nothing before the deadline
    NO_REPOSITORY = "NO_REPOSITORY"  # no folder, no repository, or a broken one


#: `Mark.result` of a kata that nobody got to before the time was spent.
NOT_GRADED = "NOT_GRADED"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a submission came from. The commit and its dates are None for a working tree."""

    repository: str  # as it was given
    revision: str | None = None  # as it was asked for
    commit: str | None = None
    committed: str | None = None  # committer date, ISO 8601: what a deadline counts
    authored: str | None = None  # author date, ISO 8601
    later_commits: int | None = None  # commits after the deadline, which were left out


@dataclass(frozen=True, slots=True)
class Mark:
    """The result of one kata: an outcome's name, or what was found instead of a file."""

    kata: str
    result: str
    text: str | None = None  # a sentence, where no report says it
    sha256: str | None = None  # of the file that was taken
    line: int | None = None  # where the file defines the function
    report: Mapping[str, Any] | None = None  # an entry of `reports` in `kata-report/1`
    statement_changed: bool = False
    similar: bool = False  # equals the reference after normalising names and layout
    points: float = 0.0
    max_points: float = 0.0

    @property
    def passed(self) -> bool:
        return self.result == "PASS"

    @property
    def case_counts(self) -> tuple[int, int]:
        """Passed and scored cases; (0, 0) where nothing was run."""
        cases = [c for c in (self.report or {}).get("cases", ()) if c["tier"] != "stretch"]
        return sum(case["outcome"] == "PASS" for case in cases), len(cases)

    @property
    def first_failure(self) -> Mapping[str, Any] | None:
        """The first case that counts and did not pass, as the report has it."""
        for case in (self.report or {}).get("cases", ()):
            if case["tier"] != "stretch" and case["outcome"] not in ("PASS", None):
                found: Mapping[str, Any] = case
                return found
        return None


@dataclass(frozen=True, slots=True)
class Entry:
    """One student."""

    student: str
    origin: Origin
    marks: tuple[Mark, ...]
    seconds: float = 0.0  # measured

    @property
    def passed(self) -> bool:
        return all(mark.passed for mark in self.marks)

    @property
    def points(self) -> float:
        return round(sum(mark.points for mark in self.marks), 2)

    @property
    def max_points(self) -> float:
        return round(sum(mark.max_points for mark in self.marks), 2)


@dataclass(frozen=True, slots=True)
class Cohort:
    """Everything a format needs."""

    entries: tuple[Entry, ...]
    katas: tuple[str, ...]
    seed: int
    several: bool  # a batch, not one fork
    deadline: str | None = None
    revealed: bool = False  # expected values of hidden cases are in it
    versions: Mapping[str, str] = field(default_factory=dict)


def to_dict(entry: Entry) -> dict[str, Any]:
    """An entry of `students` in `kata-grade/1`."""
    return {
        "student": entry.student,
        "passed": entry.passed,
        "points": entry.points,
        "max_points": entry.max_points,
        **asdict(entry.origin),
        "katas": [_mark_dict(mark) for mark in entry.marks],
        "measured": {"seconds": round(entry.seconds, 3)},
    }


def from_dict(data: Mapping[str, Any]) -> Entry:
    """The entry again. Raises `LookupError`, `TypeError` or `ValueError` for other data."""
    origin = Origin(**{name: data[name] for name in Origin.__dataclass_fields__})
    marks = tuple(
        Mark(**{name: each[name] for name in Mark.__dataclass_fields__}) for each in data["katas"]
    )
    return Entry(str(data["student"]), origin, marks, float(data["measured"]["seconds"]))


def _mark_dict(mark: Mark) -> dict[str, Any]:
    return {name: getattr(mark, name) for name in Mark.__dataclass_fields__}
