"""Whether a submission is the reference again, under other names and another layout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from grader.model import Kata
from grader.sandbox import policy
from grader.sandbox.process import OPTIONS
from grader.sandbox.shape import shape

CHILD = Path(__file__).with_name("sandbox") / "shape.py"
TIMEOUT_S = 10.0


def to_reference(kata: Kata, source: bytes) -> bool:
    """True when only names, comments, annotations, layout and order differ.

    A file that cannot be compared (it does not parse, or it takes too long) is not similar.
    """
    found = _shape_in_a_child(kata, source.decode("utf-8-sig"))
    return found is not None and found == _reference_shape(kata)


@cache
def _reference_shape(kata: Kata) -> str | None:
    return shape(kata.reference.read_text(encoding="utf-8"), kata.signature.name)


def _shape_in_a_child(kata: Kata, source: str) -> str | None:
    root = sys.platform == "linux" and os.geteuid() == 0
    rules = policy.pure(kata.limits, policy.UID_BASE if root else 0)
    given = json.dumps([rules, kata.signature.name, source]).encode()
    try:
        done = subprocess.run(
            [sys.executable, *OPTIONS, str(CHILD)],
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONHASHSEED": "1"},
            cwd="/",
            start_new_session=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        return None
    said = done.stdout[:100].decode("ascii", "replace")
    return said if re.fullmatch(r"[0-9a-f]{64}", said) else None


def statement_changed(kata: Kata, source: bytes) -> bool:
    """Whether the file does not hold the grader's statement, word for word.

    The fork may be older, or the student has edited it; neither changes the verdict.
    """
    text = " ".join(source.decode("utf-8-sig").split())
    return " ".join(kata.statement.split()) not in text
