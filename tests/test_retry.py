"""A case that runs first, and alone as long as it fails: the order of `kata watch`."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import catalog
from grader.judge import Options, judge
from grader.model import Kata, Outcome, Report, Verdict

WRONG = "def merge_pair(symbols, pair):\n    return symbols\n"


@pytest.fixture(scope="module")
def kata() -> Kata:
    return catalog.find("merge_pair")


def grade(kata: Kata, folder: Path, source: str, retry: str | None) -> tuple[Report, list[Verdict]]:
    path = folder / f"{kata.name}.py"
    path.write_text(source)
    came: list[Verdict] = []
    options = Options(seed=7, timing=False, name_mistakes=False, retry=retry)
    return judge(kata, path, options, on_verdict=came.append), came


def test_a_case_that_fails_again_is_all_that_runs(kata: Kata, tmp_path: Path) -> None:
    """It comes first; the report has the others, not run, in the order of the suite."""
    whole, _ = grade(kata, tmp_path, WRONG, None)
    last = [v for v in whole.verdicts if v.outcome is Outcome.WRONG][-1]
    report, came = grade(kata, tmp_path, WRONG, last.id)
    assert came[0].id == last.id
    assert [v.id for v in report.verdicts] == [v.id for v in whole.verdicts]
    assert [v.id for v in report.verdicts if v.outcome is not None] == [last.id]
    assert report.outcome is Outcome.WRONG


def test_a_case_that_passes_now_changes_nothing(kata: Kata, tmp_path: Path) -> None:
    """The same verdicts as without it, whichever came first."""
    source = kata.reference.read_text(encoding="utf-8")
    whole, _ = grade(kata, tmp_path, source, None)
    law = [v for v in whole.verdicts if v.tier == "law"][-1]
    report, came = grade(kata, tmp_path, source, law.id)
    assert came[0].id == law.id
    facts = [(v.id, v.outcome, v.inputs) for v in report.verdicts]
    assert facts == [(v.id, v.outcome, v.inputs) for v in whole.verdicts]


def test_a_case_that_is_gone_is_forgotten(kata: Kata, tmp_path: Path) -> None:
    """A name that no case has any more leaves the order of the suite."""
    report, came = grade(kata, tmp_path, WRONG, "no_such_case")
    assert [v.id for v in came] == [v.id for v in report.verdicts]
    assert all(v.outcome is not None for v in report.verdicts if v.tier != "stretch")
