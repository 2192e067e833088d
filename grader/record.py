"""What a run leaves behind: the version before it is judged, the verdict afterwards.

A verdict is worth more than the memory of it: where nothing can be written, or the state
is of a newer version, the run goes on and one sentence says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader import counterexample, submission
from grader.errors import UsageError
from grader.journal import Journal, StateTooNew
from grader.model import Kata, Outcome, Report, Submission
from grader.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Record:
    """The memory of one run in a workspace."""

    home: Workspace

    def before(self, kata: Kata, source: Submission) -> str | None:
        """Keep the version that is about to be judged; a sentence when that failed."""
        if submission.is_unwritten(kata, source):
            return None
        try:
            Journal(self.home.root).keep(kata.name, source.source)
        except (OSError, UsageError) as error:
            return _sorry(error)
        return None

    def after(self, report: Report) -> str | None:
        """Keep what was found; a sentence when that failed."""
        from grader.render import json as report_json

        journal = Journal(self.home.root)
        try:
            journal.check()
            self.home.remember(report, report_json.to_dict([report]))
            counterexample.remember(self.home, report)
            if report.outcome is not Outcome.UNWRITTEN:
                journal.add("graded", report.kata.name, **_facts(report))
        except (OSError, UsageError) as error:
            return _sorry(error)
        return None


def _facts(report: Report) -> dict[str, Any]:
    timing, failing = report.timing, counterexample.first_failing(report)
    return {
        "sha256": report.submission.sha256,
        "outcome": report.outcome.value,
        "seed": report.seed,
        "seconds": round(report.seconds, 3),
        "failed": failing.title if failing else None,
        "corpus": timing.corpus if timing else None,
        "ratio": timing.ratio if timing else None,
        "yours_s": timing.yours_s if timing else None,
    }


def _sorry(error: Exception) -> str:
    if isinstance(error, StateTooNew):
        return f"this run was not remembered: {error}"
    told = error.strerror if isinstance(error, OSError) and error.strerror else error
    return f"this run was not remembered ({told})."
