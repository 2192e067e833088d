"""Every known mistake gets its declared outcome: what a suite must not let through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader import catalog
from grader.judge import Options, judge
from grader.model import Kata, Outcome

#: An endless mistake need not wait for a student's deadline.
CALL_S = {"pure": 1.0, "corpus": 5.0}


def known() -> list[tuple[str, catalog.Mistake]]:
    return [
        (kata.name, mistake) for kata in catalog.all_katas() for mistake in catalog.mistakes(kata)
    ]


def quick(name: str) -> Kata:
    kata = catalog.find(name)
    return replace(kata, limits=replace(kata.limits, call_s=CALL_S[kata.policy]))


@pytest.mark.parametrize(
    ("name", "mistake"), known(), ids=lambda value: getattr(value, "id", value)
)
def test_a_mistake_has_its_declared_outcome(name: str, mistake: catalog.Mistake) -> None:
    """What is declared to fail fails as declared; a stretch mistake passes all that counts."""
    options = Options(
        seed=11,
        timing=False,
        stop_at_first_failure=True,
        name_mistakes=False,
        stretch=False,
        shrink=False,
    )
    report = judge(quick(name), f"mistake:{mistake.id}", options)
    due = Outcome.PASS if mistake.outcome == "stretch" else mistake.outcome
    failed = [v.id for v in report.verdicts if v.outcome not in (Outcome.PASS, None)]
    assert report.outcome == due, (report.outcome, failed, report.problem)
