"""What the result of a call means: its outcome, and the words for it."""

from __future__ import annotations

from grader.model import (
    CallResult,
    Crashed,
    Exhausted,
    Outcome,
    Raised,
    Refused,
    TimedOut,
)


def describe(result: CallResult) -> str | None:
    """What happened instead of an answer, as the end of a sentence about the call."""
    match result:
        case Raised(type=kind, message=message):
            return f"{kind}: {message}" if message else kind
        case TimedOut(seconds=seconds, what=what):
            return f"no answer: the {what}'s limit of {seconds:g} s passed"
        case Exhausted(mib=mib):
            return f"no answer: the limit of {mib} MiB of memory was met"
        case Crashed(reason=reason):
            return f"no answer: {reason}"
        case Refused(reason=reason):
            return reason
        case _:
            return None


def result_outcome(result: CallResult) -> Outcome:
    """The outcome of a call that gave no answer."""
    match result:
        case Raised():
            return Outcome.RAISED
        case TimedOut():
            return Outcome.TIMEOUT
        case Exhausted():
            return Outcome.MEMORY
        case Crashed():
            return Outcome.CRASH
        case Refused(wrong=wrong):
            return Outcome.WRONG if wrong else Outcome.FORBIDDEN
        case _:
            return Outcome.WRONG
