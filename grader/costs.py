"""Name the known mistake behind a limit that is missed by answers that are right.

Answers cannot tell such mistakes, and measuring each would take longer than a run. So a suite
says in `COSTS` which of them miss which case and how: `(case, how) -> ids`. `how` is the
outcome of the case, or for RAISED the type of the exception. Where several do, `PROBES` are
calls that show more of how a program works than of what it answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from grader import catalog
from grader.catalog import Mistake
from grader.diagnose import MOST_NAMED, agreeing, named
from grader.model import Call, Diagnosis, Kata, Outcome, Submission, Tier, Verdict


def diagnose(
    kata: Kata, suite: ModuleType, submission: Submission, verdicts: Sequence[Verdict]
) -> Diagnosis | None:
    """The known mistakes that miss each limit these verdicts miss; None if a law fails, too."""
    table = getattr(suite, "COSTS", {})
    failed = [v for v in verdicts if v.outcome not in (Outcome.PASS, None)]
    if not failed or any(v.tier not in (Tier.LIMIT, Tier.STRETCH) for v in failed):
        return None
    shared = set.intersection(*(set(table.get((v.id, how(v)), ())) for v in failed))
    found: Sequence[Mistake] = [m for m in catalog.mistakes(kata) if m.id in shared]
    if len(found) > 1 and (probes := getattr(suite, "PROBES", None)):
        calls = [Call(kata.name, args) for args in probes]
        found = agreeing(kata, submission, calls, found, probing=True)
    if not 0 < len(found) <= MOST_NAMED:
        return None
    return named(found, len(failed), "cost")


def how(verdict: Verdict) -> str:
    """How a case ended: its outcome, or the type of the exception."""
    shown = verdict.counterexample
    if verdict.outcome is Outcome.RAISED and shown is not None and shown.note:
        return shown.note.partition(":")[0]
    return str(verdict.outcome)
