"""Whether this machine's sandbox meets the floors of grading, found by trying."""

from __future__ import annotations

from collections.abc import Mapping

from grader import doctor
from grader.sandbox import policy


def shortfall(floors: Mapping[str, str]) -> str | None:
    """Why a floor is not met, and what to do; None when all are. Floors go by policy."""
    for name, floor in floors.items():
        if floor != "none" and (reason := policy.below(doctor.measured(name), floor)):
            return reason
    return None
