"""Names for limits that right answers miss."""

from __future__ import annotations

import io
from dataclasses import replace
from types import ModuleType

import pytest

from grader import catalog, costs, plugin, revive
from grader.model import Counterexample, Diagnosis, Outcome, Tier, Verdict
from grader.render import json
from grader.render.console import console
from grader.render.report import ReportView
from grader.submission import load
from tests.reports import make_report, make_verdict, passing

plugin.prepare_suites()

KATA = catalog.find("train_byte_bpe")
SUITE = catalog.load_module(KATA.suite, "_suite_of_train_byte_bpe")


def verdict(case: str, tier: Tier, outcome: Outcome, note: str | None = None) -> Verdict:
    shown = Counterexample("f()", None, None, note, "")
    return Verdict(case, "A law.", tier, outcome, 1, shown)


@pytest.mark.parametrize("name", catalog.names())
def test_costs_name_cases_and_mistakes_that_there_are(name: str) -> None:
    """Each entry is a case that is no law, and mistakes that answer rightly or are a stretch."""
    kata = catalog.find(name)
    suite = catalog.load_module(kata.suite, f"_suite_of_{name}")
    table = getattr(suite, "COSTS", {})
    ids = {m.id for m in catalog.mistakes(kata)}
    for (case, _), found in table.items():
        marks = {mark.name for mark in getattr(suite, f"test_{case}").pytestmark}
        assert marks & {"limit", "stretch"}
        assert set(found) <= ids
    stretch = {m.id for m in catalog.mistakes(kata) if m.outcome == "stretch"}
    assert stretch <= {id for found in table.values() for id in found}


def test_a_missed_limit_is_named_if_answers_are_right() -> None:
    """Growth has two names; a law that fails beside it leaves the matter to the answers."""
    passed = verdict("ids", Tier.LAW, Outcome.PASS)
    grown = verdict("growth", Tier.LIMIT, Outcome.WRONG)

    def found(*verdicts: Verdict) -> Diagnosis | None:
        return costs.diagnose(KATA, SUITE, load(KATA, "reference"), verdicts)

    named = found(passed, grown)
    assert named is not None
    assert named.id == "recounts_every_word walks_through_every_word"
    assert (named.kind, named.agrees) == ("cost", (1, 1))
    assert found(passed) is None
    assert found(replace(passed, outcome=Outcome.WRONG), grown) is None
    assert found(replace(grown, outcome=Outcome.RAISED)) is None


def test_recursion_is_told_from_waiting() -> None:
    """Two slow encoders differ in how deep they call; other exceptions tell nothing."""
    kata = catalog.find("encode_bpe")
    suite: ModuleType = catalog.load_module(kata.suite, "_suite_of_encode_bpe")
    slow = verdict("one_long_run", Tier.STRETCH, Outcome.TIMEOUT, "no answer")
    for mistake in ("scans_after_every_merge", "recurses_for_every_merge"):
        found = costs.diagnose(kata, suite, load(kata, f"mistake:{mistake}"), [slow])
        assert found is not None
        assert found.id == mistake
    source = load(kata, "reference")
    for note, id in (("RecursionError: depth", "recurses_for_every_merge"), ("IndexError", None)):
        raised = verdict("one_long_run", Tier.STRETCH, Outcome.RAISED, note)
        found = costs.diagnose(kata, suite, source, [raised])
        assert (found and found.id) == id


def test_how_sure_a_name_is_depends_on_what_agrees() -> None:
    """After a pass a stretch case is advice; a report that was written comes back the same."""
    missed = make_verdict("long", Outcome.TIMEOUT, tier=Tier.STRETCH)
    name = Diagnosis("recurses", "You call yourself.", "Use a loop.", (1, 1), "cost")
    report = make_report(verdicts=(*passing()[:-1], missed), diagnosis=name)
    page = console(io.StringIO(), width=80)
    page.print(ReportView(report))
    shown = page.file.getvalue()
    assert "You call yourself." in shown
    assert "Your answers are right; this is the known way to miss that limit." in shown
    page.print(ReportView(replace(report, diagnosis=replace(name, id="scans recurses"))))
    assert "these are the known ways to miss that limit." in page.file.getvalue()
    assert revive.report(report.kata, json.report_dict(report)).diagnosis == name
