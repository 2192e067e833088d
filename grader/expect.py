"""What a hidden suite says about an answer: `same`, `holds`, and how it fails.

A suite compares right after the call it is about: the last call of a failing case is
its counterexample.
"""

from __future__ import annotations

from typing import Any

from grader.model import CallResult


class Unset:
    """The type of a value that was not given."""


UNSET = Unset()


class Mismatch(AssertionError):
    """The answer is wrong: what came back, what was due, or a sentence."""

    def __init__(self, yours: Any = UNSET, expected: Any = UNSET, note: str | None = None) -> None:
        super().__init__(note or "the answer differs")
        self.yours = yours
        self.expected = expected
        self.note = note


class StudentRaised(Exception):
    """The student's function raised; Hypothesis may shrink the input."""

    def __init__(self, result: CallResult) -> None:
        super().__init__(str(result))
        self.result = result


class Stopped(BaseException):
    """The call ended without an answer (time, memory, death, refusal).

    Not an `Exception`, so that Hypothesis stops at once: shrinking a time-out costs a
    whole deadline for every step.
    """

    def __init__(self, result: CallResult) -> None:
        super().__init__(str(result))
        self.result = result


def same(yours: Any, expected: Any, note: str | None = None) -> None:
    """Fail unless `yours` equals `expected`; both are plain builtins."""
    if yours != expected:
        raise Mismatch(yours, expected, note)


def holds(condition: bool, note: str, yours: Any = UNSET, expected: Any = UNSET) -> None:
    """Fail with the sentence `note` unless `condition` is true."""
    if not condition:
        raise Mismatch(yours, expected, note)
