"""Timings and contests as plain data: the format `kata-bench/1`, in `schemas/bench-1.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from grader.model import Contest, Timing
from grader.render.escape import encodable
from grader.render.json import listed

SCHEMA = "kata-bench/1"


def to_dict(
    timings: Sequence[tuple[str, str, Timing]],
    contests: Sequence[Contest],
    versions: Mapping[str, str],
) -> dict[str, Any]:
    """The object `kata bench --format json` prints; `timings`: kata, path, what was measured."""
    return {
        "schema": SCHEMA,
        "timings": [
            {"kata": kata, "submission": encodable(path), "timing": listed(asdict(timing))}
            for kata, path, timing in timings
        ],
        "contests": [listed(asdict(contest)) for contest in contests],
        "versions": dict(versions),
    }


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    path = Path(__file__).resolve().parent.parent / "schemas" / "bench-1.json"
    return cast(dict[str, Any], json.loads(path.read_text(encoding="utf-8")))
