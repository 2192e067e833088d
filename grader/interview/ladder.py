"""The follow-up ladder: what to ask after a pass, checked by the judge where it can be."""

from __future__ import annotations

from dataclasses import dataclass

from grader import submission as submissions
from grader.errors import CardError
from grader.model import Kata, Rung, Submission

__all__ = ["Rung", "RungResult", "check", "rungs"]


@dataclass(frozen=True, slots=True)
class RungResult:
    """What came of a check. `passed` is None for a question that is only talked about."""

    passed: bool | None
    text: str  # a sentence or two, with no line break


def rungs(kata: Kata) -> tuple[Rung, ...]:
    """The follow-ups of a kata, from the first to ask to the last."""
    return kata.follow_ups


def check(kata: Kata, rung: Rung, submission: Submission, seed: int) -> RungResult:
    """Look at the answer to a rung: the submission as it is now, run in the sandbox.

    For a rung that asks for another rule, that is the changed function. A bound on time is
    one on a ratio of CPU times and fails only if two measurements exceed it. Raises
    `CardError` when the card names a check that does not exist.
    """
    if rung.check is None:
        return RungResult(None, "Nothing to run here; hold the answer against the points.")
    if submissions.is_unwritten(kata, submission):
        return RungResult(False, "The file is the stub as it was; write the function first.")
    from grader.interview import checks, inputs

    kind, _, argument = rung.check.partition(":")
    look = checks.CHECKS[kind]
    try:
        passed, text = look(kata, argument, submission, seed)
    except inputs.Unknown as error:
        card = kata.reference.with_suffix(".toml")
        raise CardError(
            f"{card}: 'check' of follow-up {rung.id!r} is {rung.check!r}; {error}"
        ) from None
    return RungResult(passed, text)
