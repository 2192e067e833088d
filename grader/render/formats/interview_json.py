"""The report of an interview as data: `kata-interview-report/1`."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from grader.interview.facts import Sheet
from grader.render.escape import encodable

SCHEMA = "kata-interview-report/1"


def render(sheet: Sheet) -> str:
    """ASCII text; ends in a newline."""
    got, most = sheet.total
    data = {"schema": SCHEMA, "total": {"marks": got, "of": most}, **asdict(sheet)}
    return json.dumps(_plain(data), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return encodable(value) if isinstance(value, str) else value
