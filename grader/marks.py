"""Points: what a kata is worth, and how much of it a submission has earned.

A weights file is TOML:

    partial = true            # a share of the points for a share of the cases; else all or nothing

    [points]
    pair_counts = 5
    encode_bpe = 20
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader import catalog
from grader.errors import UsageError
from grader.gradebook import Entry, Mark


@dataclass(frozen=True, slots=True)
class Weights:
    """The points of each kata; one that is not listed is worth 1."""

    points: Mapping[str, float] = field(default_factory=dict)
    partial: bool = False

    def of(self, kata: str) -> float:
        return self.points.get(kata, 1.0)


def load(path: Path, katas: Sequence[str]) -> Weights:
    """The weights of a file; raises `UsageError` naming file, key and remedy."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--weights {path}: {error.strerror}; give a TOML file.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--weights {path} is not valid TOML ({error}); mend that.") from None
    for key in data:
        if key not in ("points", "partial"):
            raise UsageError(f"{path}: unknown key {key!r}; known are `partial` and `[points]`.")
    partial, points = data.get("partial", False), data.get("points", {})
    if type(partial) is not bool:
        raise UsageError(f"{path}: 'partial' must be true or false, not {partial!r}.")
    if not isinstance(points, dict):
        raise UsageError(f"{path}: 'points' must be a table; write `[points]`.")
    for kata, value in points.items():
        _check(path, kata, value)
    weights = Weights({kata: float(value) for kata, value in points.items()}, partial)
    if not sum(weights.of(kata) for kata in katas):
        raise UsageError(f"{path}: the katas that are graded are worth nothing; give one points.")
    return weights


def _check(path: Path, kata: str, value: object) -> None:
    if kata not in catalog.names():
        near = catalog.nearest(kata, catalog.names())
        offer = f"did you mean {near!r}?" if near else f"known are {', '.join(catalog.names())}."
        raise UsageError(f"{path}: points for {kata!r}, which is no kata; {offer}")
    number = type(value) in (int, float)
    if not number or not math.isfinite(value) or value < 0:  # type: ignore[arg-type, operator]
        raise UsageError(f"{path}: 'points.{kata}' must be a number of 0 or more, not {value!r}.")


def marked(entry: Entry, weights: Weights) -> Entry:
    """The entry with its points."""
    return replace(entry, marks=tuple(_marked(mark, weights) for mark in entry.marks))


def _marked(mark: Mark, weights: Weights) -> Mark:
    worth = weights.of(mark.kata)
    earned = round(worth * _share(mark, weights.partial), 2)
    return replace(mark, points=earned, max_points=worth)


def _share(mark: Mark, partial: bool) -> float:
    if mark.passed:
        return 1.0
    done, scored = mark.case_counts
    return done / scored if partial and scored and mark.result != "UNWRITTEN" else 0.0
