"""Name the known mistake a wrong solution agrees with, or none.

The failing calls and a bank of calls that tell the known mistakes apart (`BANK` in a
kata's suite) are replayed on the submission and on every known mistake. A mistake is
named only if its answers are the submission's on every one of them. A wrong name is worse
than none.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from grader import catalog
from grader.catalog import Mistake
from grader.model import (
    Call,
    CallResult,
    Diagnosis,
    Kata,
    Mistyped,
    Outcome,
    Raised,
    Refused,
    Returned,
    Submission,
    TimedOut,
)
from grader.sandbox.host import Host

#: Seconds of wall-clock time after which a diagnosis gives up, by policy. It takes a tenth of
#: this on a quiet machine; a verdict must not depend on how busy it is.
GUARD_S = {"pure": 10.0, "corpus": 30.0}
CALL_S = {"pure": 0.25, "corpus": 1.0}
MOST_NAMED = 2
#: Bytes of a file: a failing one with more is not replayed, and one with more is replayed late.
LARGE, LARGE_FOR_MOST = 20_000, 2_000
TRIED_EARLY = 8  # small calls of the bank, before a large one that is wrong
#: Answers that leave the child alive; any other costs a wait and a new child.
CHEAP = ("value", "judged", "type", "raised", "refused")
MOST_WAITS = 4  # a submission that hangs or dies more often than this is not worth the wait

Answer = tuple[Any, ...]
#: What of an answer the statement pins down, where that is not all of it: a suite's `judged`.
Judged = Callable[[tuple[Any, ...], Returned], Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """The mistakes that agree with a submission, and on how many calls they were compared."""

    mistakes: tuple[Mistake, ...]
    calls: int


def bank(suite: ModuleType, kata: Kata) -> list[Call]:
    """The calls a suite keeps for telling known mistakes apart."""
    return [Call(kata.name, tuple(args)) for args in getattr(suite, "BANK", ())]


def telling(suite: ModuleType, kata: Kata, failing: Sequence[Call]) -> list[Call]:
    """The calls to compare answers on: the failing ones that are quick to repeat, and the bank."""
    return [*(call for call in failing if _size(call) <= LARGE), *bank(suite, kata)]


def _size(call: Call) -> int:
    return sum(len(arg) for arg in call.args if isinstance(arg, bytes))


def diagnose(
    kata: Kata,
    submission: Submission,
    calls: Sequence[Call],
    hash_seed: int = 1,
    judged: Judged | None = None,
) -> Diagnosis | None:
    """The diagnosis of a wrong submission from its answers to `calls`, or None."""
    mistakes = [mistake for mistake in catalog.mistakes(kata) if mistake.outcome != "stretch"]
    calls = [call for i, call in enumerate(calls) if call not in calls[:i]]
    found = agreeing(kata, submission, calls, mistakes, hash_seed, judged)
    return named(found, len(calls)) if 0 < len(found) <= MOST_NAMED else None


def agreeing(
    kata: Kata,
    submission: Submission,
    calls: Sequence[Call],
    mistakes: Sequence[Mistake],
    hash_seed: int = 1,
    judged: Judged | None = None,
    *,
    probing: bool = False,
) -> Sequence[Mistake]:
    """The mistakes whose answers to `calls` are the submission's; none if time runs out.

    None either for answers that are right, unless `probing`, which leaves each call all its time.
    """
    if not mistakes:
        return ()
    limits = kata.limits if probing else replace(kata.limits, call_s=CALL_S[kata.policy])
    until = time.monotonic() + GUARD_S[kata.policy]
    module = _module(kata, mistakes)
    with (
        contextlib.suppress(_OutOfTime),
        Host(kata, submission, hash_seed=hash_seed, limits=limits) as theirs,
        Host(kata, module, hash_seed=hash_seed, limits=limits) as ours,
    ):
        theirs.start()
        ours.start()
        yours = _replayed(kata, theirs, calls, until, judged)
        right = truth(kata, calls, judged)
        if yours == right and not probing:
            return ()
        order = _order(calls, yours, right)

        def agrees(mistake: Mistake) -> bool:
            asked = [(i, Call(mistake.id, calls[i].args)) for i in order]
            return all(
                _answer(kata, call, _timely(ours.call, call, until), judged) == yours[i]
                for i, call in asked
            )

        # Who never hung has none of the mistakes that hang: each wait costs a child.
        hung = ("timeout",) in yours
        return [m for m in mistakes if (hung or m.outcome != Outcome.TIMEOUT) and agrees(m)]
    return ()


def _order(calls: Sequence[Call], yours: Sequence[Answer], right: Sequence[Answer]) -> list[int]:
    """The calls from the one where most mistakes leave for the least time.

    That is where the submission is wrong; then come a few that many mistakes get wrong. Large
    files cost more, and waiting most.
    """

    def turn(i: int) -> int:
        if yours[i] == ("timeout",):
            return 9
        return (yours[i] == right[i]) + 2 * (_size(calls[i]) > LARGE_FOR_MOST)

    order = sorted(range(len(calls)), key=turn)
    wrong = [i for i in order if turn(i) == 2]
    early = sum(turn(i) == 0 for i in order) + TRIED_EARLY
    rest = [i for i in order if turn(i) != 2]
    return [*rest[:early], *wrong, *rest[early:]]


def _replayed(
    kata: Kata, host: Host, calls: Sequence[Call], until: float, judged: Judged | None
) -> list[Answer]:
    """The submission's answers; gives up on one that hangs or dies again and again."""
    found: list[Answer] = []
    for call in calls:
        if sum(answer[0] not in CHEAP for answer in found) == MOST_WAITS:
            raise _OutOfTime
        found.append(_answer(kata, call, _timely(host.call, call, until), judged))
    return found


def match(
    kata: Kata,
    yours: Sequence[Answer],
    known: dict[Mistake, list[Answer]],
    right: Sequence[Answer],
) -> Finding | None:
    """The mistakes whose answers are `yours` on every call; what `diagnose` finds, from rows."""
    agreeing = tuple(
        mistake
        for mistake, found in known.items()
        if mistake.outcome != "stretch" and found == list(yours) and found != list(right)
    )
    return Finding(agreeing, len(right)) if 0 < len(agreeing) <= MOST_NAMED else None


def known_answers(
    kata: Kata,
    calls: Sequence[Call],
    until: float,
    hash_seed: int = 1,
    judged: Judged | None = None,
) -> dict[Mistake, list[Answer]]:
    """What every known mistake answers to each call; all of them live in one child."""
    mistakes = catalog.mistakes(kata)
    if not mistakes:
        return {}
    limits = replace(kata.limits, call_s=CALL_S[kata.policy])
    with Host(kata, _module(kata, mistakes), hash_seed=hash_seed, limits=limits) as host:
        return {
            mistake: [
                _answer(kata, call, _timely(host.call, Call(mistake.id, call.args), until), judged)
                for call in calls
            ]
            for mistake in mistakes
        }


def truth(kata: Kata, calls: Sequence[Call], judged: Judged | None = None) -> list[Answer]:
    """What is right, from the reference in this process."""
    import tempfile
    from pathlib import Path

    from grader.solution import InProcess

    function = getattr(catalog.reference_module(kata), kata.name)
    with tempfile.TemporaryDirectory() as folder:
        engine = InProcess(kata, function, Path(folder))
        return [_answer(kata, call, engine.call(call), judged) for call in calls]


def _module(kata: Kata, mistakes: Sequence[Mistake]) -> Submission:
    """All known mistakes of a kata as one submission."""
    source = kata.mistakes.read_bytes()
    digest = hashlib.sha256(source).hexdigest()
    return Submission(str(kata.mistakes), source, digest, mistakes[0].id)


class _OutOfTime(Exception):
    """The budget is spent; no name is better than a guess."""


def _timely(call: Callable[[Call], CallResult], what: Call, until: float) -> CallResult:
    if time.monotonic() > until:
        raise _OutOfTime
    return call(what)


def _answer(kata: Kata, call: Call, result: CallResult, judged: Judged | None = None) -> Answer:
    """A result without what two programs with the same mistake may differ in."""
    match result:
        case Returned() if judged:
            return ("judged", judged(call.args, result))
        case Returned(value=value, args=args):
            changed = tuple(
                arg
                for parameter, arg in zip(kata.signature.parameters, args, strict=True)
                if not parameter.file
            )
            return ("value", value, changed)
        case Mistyped(where=where, got=got):
            return ("type", where, got)
        case Raised():
            return ("raised",)
        case TimedOut():
            return ("timeout",)
        case Refused(wrong=True):
            return ("refused",)
    return (type(result).__name__,)


def named(mistakes: Sequence[Mistake], calls: int, kind: str = "answers") -> Diagnosis:
    """These mistakes, which agree on so many calls (or, of kind `cost`, miss so many limits)."""
    first, *others = mistakes
    text = first.text
    for other in others:
        text += f"\n\nOr: {other.title}\n{other.text}"
    return Diagnosis(" ".join(m.id for m in mistakes), first.title, text, (calls, calls), kind)
