"""What results mean: the outcome of a call or of a whole kata, and the words for it."""

from __future__ import annotations

from grader.model import (
    CallResult,
    Crashed,
    Exhausted,
    Outcome,
    Raised,
    Refused,
    Tier,
    TimedOut,
    Verdict,
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


def overall(verdicts: list[Verdict]) -> Outcome:
    """The outcome of a kata: that of its first failing case, in suite order."""
    counted = [v for v in verdicts if v.tier is not Tier.STRETCH]
    if any(v.outcome is Outcome.BROKEN for v in verdicts):
        return Outcome.BROKEN
    if unwritten(verdicts):
        return Outcome.UNWRITTEN
    for verdict in counted:
        if verdict.outcome not in (Outcome.PASS, None):
            return verdict.outcome
    missing = any(v.outcome is None for v in counted)
    return Outcome.TIMEOUT if missing or not counted else Outcome.PASS


def unwritten(verdicts: list[Verdict]) -> bool:
    """Whether there are examples and each of them raised NotImplementedError."""
    examples = [v for v in verdicts if v.tier is Tier.EXAMPLE]
    return bool(examples) and all(map(_not_implemented, examples))


def _not_implemented(verdict: Verdict) -> bool:
    note = verdict.counterexample.note if verdict.counterexample else None
    return verdict.outcome is Outcome.RAISED and (note or "").startswith("NotImplementedError")
