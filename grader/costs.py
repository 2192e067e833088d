"""Name the known mistake behind a limit that is missed by answers that are right.

Answers cannot tell such mistakes, and measuring each would take longer than a run. So a suite
says in `COSTS` which of them miss which case and how: `(case, how) -> ids`. `how` is the
outcome of the case, or for RAISED the type of the exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from grader import catalog
from grader.diagnose import MOST_NAMED, named
from grader.model import Diagnosis, Kata, Outcome, Tier, Verdict


def diagnose(kata: Kata, suite: ModuleType, verdicts: Sequence[Verdict]) -> Diagnosis | None:
    """The known mistakes that miss each limit these verdicts miss; None if a law fails, too."""
    table = getattr(suite, "COSTS", {})
    failed = [v for v in verdicts if v.outcome not in (Outcome.PASS, None)]
    if not failed or any(v.tier not in (Tier.LIMIT, Tier.STRETCH) for v in failed):
        return None
    shared = set.intersection(*(set(table.get((v.id, how(v)), ())) for v in failed))
    found = tuple(mistake for mistake in catalog.mistakes(kata) if mistake.id in shared)
    if not 0 < len(found) <= MOST_NAMED:
        return None
    return named(found, len(failed), "cost")


def how(verdict: Verdict) -> str:
    """How a case ended: its outcome, or the type of the exception."""
    shown = verdict.counterexample
    if verdict.outcome is Outcome.RAISED and shown is not None and shown.note:
        return shown.note.partition(":")[0]
    return str(verdict.outcome)
