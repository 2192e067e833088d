"""JUnit XML as GitLab, Jenkins and others read it: a suite a kata, a test a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from grader.gradebook import Cohort, Entry, Mark
from grader.render.escape import readable
from grader.render.formats.lines import case_details, details, headline, name_of

#: GitLab takes 30 MB a file; what a case says is cut long before that.
MAX_BYTES = 28_000_000
_CUTS = (8000, 1000, 0)
_BAD = "failure"


def render(cohort: Cohort) -> str:
    """The whole file; of a large cohort the texts are cut until it fits."""
    text = ""
    for limit in _CUTS:
        text = _document(cohort, limit)
        if len(text.encode()) <= MAX_BYTES:
            break
    return text


def _document(cohort: Cohort, limit: int) -> str:
    root = ElementTree.Element("testsuites", name="bpe-kata")
    for entry in cohort.entries:
        for mark in entry.marks:
            root.append(_suite(cohort, entry, mark, limit))
    _count(root, list(root))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _suite(cohort: Cohort, entry: Entry, mark: Mark, limit: int) -> ElementTree.Element:
    name = f"{name_of(entry)}.{mark.kata}" if cohort.several else mark.kata
    suite = ElementTree.Element("testsuite", name=name)
    cases = (mark.report or {}).get("cases") or ()
    for case in cases:
        suite.append(_case(name, mark, case, limit))
    if not cases or (mark.result not in ("PASS",) and mark.first_failure is None):
        suite.append(_whole(name, mark, limit))
    _count(suite, [suite])
    return suite


def _case(suite: str, mark: Mark, case: Mapping[str, Any], limit: int) -> ElementTree.Element:
    test = _test(suite, mark, f"{case['id']}: {readable(case['title'])}", case["seconds"])
    outcome, title = case["outcome"], readable(case["title"])
    if outcome is None:
        ElementTree.SubElement(test, "skipped", message="not run")
    elif outcome == "BROKEN":
        ElementTree.SubElement(test, "error", type="BROKEN", message="the grader failed")
    elif outcome != "PASS" and case["tier"] == "stretch":
        ElementTree.SubElement(test, "skipped", message=f"stretch, does not count: {title}")
    elif outcome != "PASS":
        failure = ElementTree.SubElement(test, _BAD, type=outcome, message=title)
        failure.text = "\n".join([title, *case_details(case)])[:limit]
    return test


def _whole(suite: str, mark: Mark, limit: int) -> ElementTree.Element:
    """The test that stands for a file nothing was run of."""
    test = _test(suite, mark, "submission", 0.0)
    if mark.result != "PASS":
        ours = mark.result in ("BROKEN", "NOT_GRADED")
        message = headline(mark)[:2000]
        problem = ElementTree.SubElement(
            test, "error" if ours else _BAD, type=mark.result, message=message
        )
        problem.text = "\n".join([message, *details(mark)])[:limit]
    return test


def _test(suite: str, mark: Mark, name: str, seconds: float) -> ElementTree.Element:
    return ElementTree.Element(
        "testcase",
        classname=suite,
        name=name,
        time=f"{seconds:.3f}",
        file=f"katas/{mark.kata}.py",
    )


def _count(node: ElementTree.Element, suites: list[ElementTree.Element]) -> None:
    tests = [test for suite in suites for test in suite.iter("testcase")]
    node.set("tests", str(len(tests)))
    for attribute, tag in (("failures", _BAD), ("errors", "error"), ("skipped", "skipped")):
        node.set(attribute, str(sum(test.find(tag) is not None for test in tests)))
    node.set("time", f"{sum(float(test.get('time', '0')) for test in tests):.3f}")
