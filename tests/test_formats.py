"""Each format is what its reader expects, whatever a student wrote."""

from __future__ import annotations

import base64
import csv as csv_reader
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import Error, Failure, JUnitXml, Skipped
from referencing import Registry, Resource

import grader
from grader import batch, gradebook, redaction
from grader.gradebook import Cohort
from grader.model import Outcome
from grader.render import json as report_json
from grader.render.console import console, show
from grader.render.formats import classroom, csv, github, gradescope, html, junit
from grader.render.formats.text import BatchView
from tests.cohorts import HEAD, LAW, hostile, mark, several, single, wrong

SCHEMAS = Path(grader.__file__).parent / "schemas"
#: Characters no report may carry as they are.
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def validator() -> Any:
    schema = json.loads((SCHEMAS / "grade-1.json").read_text())
    report = report_json.schema()
    registry = Registry().with_resources([(report["$id"], Resource.from_contents(report))])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema, registry=registry)


def everything() -> list[Cohort]:
    broken = mark("encode_bpe", Outcome.BROKEN, verdicts=(), message="Traceback\nsecret")
    return [several(), single(wrong()), single(hostile(), mark("merge_pair")), single(broken)]


# --- json ------------------------------------------------------------------------------


@pytest.mark.parametrize("cohort", everything())
def test_json_is_valid_under_its_schema(cohort: Cohort) -> None:
    """Every kind of result, and the entry comes back the same."""
    document = json.loads(json.dumps(batch.document(cohort.entries, HEAD, revealed=True)))
    validator().validate(document)
    again = [gradebook.from_dict(student) for student in document["students"]]
    assert [gradebook.to_dict(entry) for entry in again] == document["students"]


# --- junit -----------------------------------------------------------------------------


@pytest.mark.parametrize("cohort", everything())
def test_junit_is_read_by_its_parser(cohort: Cohort) -> None:
    """Counts add up and no two cases share a name."""
    text = junit.render(cohort)
    assert not BAD.search(text)
    parsed = JUnitXml.fromstring(text.encode())
    cases = [case for suite in parsed for case in suite]
    names = [(case.classname, case.name) for case in cases]
    assert len(set(names)) == len(names) == parsed.tests
    results = [result for case in cases for result in case.result]
    assert sum(isinstance(r, Failure) for r in results) == parsed.failures
    assert sum(isinstance(r, Error) for r in results) == parsed.errors
    assert sum(isinstance(r, Skipped) for r in results) == parsed.skipped
    failed = any(not mark.passed for entry in cohort.entries for mark in entry.marks)
    assert (parsed.failures + parsed.errors > 0) == failed


def test_a_large_junit_file_stays_below_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are cut before a case is lost."""
    whole = junit.render(several())
    monkeypatch.setattr(junit, "MAX_BYTES", len(whole) - 1000)
    cut = junit.render(several())
    assert len(cut) < len(whole)
    assert JUnitXml.fromstring(cut.encode()).tests == JUnitXml.fromstring(whole.encode()).tests


# --- gradescope ------------------------------------------------------------------------

#: From Gradescope's autograder specification: field -> type.
RESULT = {
    "score": (int, float), "execution_time": (int, float), "output": str, "output_format": str,
    "test_output_format": str, "test_name_format": str, "visibility": str,
    "stdout_visibility": str, "extra_data": dict, "tests": list, "leaderboard": list,
}  # fmt: skip
TEST = {
    "score": (int, float), "max_score": (int, float), "status": str, "name": str,
    "name_format": str, "number": str, "output": str, "output_format": str, "tags": list,
    "visibility": str, "extra_data": dict,
}  # fmt: skip
VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}


@pytest.mark.parametrize("cohort", everything()[1:])
def test_gradescope_takes_the_result(cohort: Cohort) -> None:
    """Known fields of their types, text only, nothing hidden, and the score is the sum."""
    result = json.loads(gradescope.render(cohort))
    for fields, values in ((RESULT, [result]), (TEST, result["tests"])):
        for each in values:
            assert all(isinstance(value, fields[key]) for key, value in each.items())
            assert each["visibility"] in VISIBILITY - {"hidden"}
            assert each["output_format"] == "text"
    assert {test["status"] for test in result["tests"]} <= {"passed", "failed"}
    assert result["score"] == sum(test["score"] for test in result["tests"])
    assert not BAD.search("".join(test["output"] for test in result["tests"]))


# --- classroom -------------------------------------------------------------------------


@pytest.mark.parametrize("cohort", everything()[1:])
def test_classroom_decodes_the_result(cohort: Cohort) -> None:
    """Base64 on one line; equal weights; at least one test."""
    text = classroom.render(cohort)
    assert text.count("\n") == 1
    result = json.loads(base64.b64decode(text, validate=False))
    assert (result["version"], result["max_score"]) == (1, len(result["tests"]))
    assert result["status"] in ("pass", "fail", "error")
    fields = {
        "name": str, "status": str, "score": int, "message": str, "test_code": str,
        "filename": str, "line_no": int, "duration": int,
    }  # fmt: skip
    for test in result["tests"]:
        assert {key: type(value) for key, value in test.items()} == fields
        assert test["status"] in ("pass", "fail", "error")
        assert test["line_no"] >= 1


def test_a_large_classroom_result_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The step's output is limited; the message is what gives."""
    monkeypatch.setattr(classroom, "MAX_BYTES", 3000)
    assert len(classroom.render(single(hostile(), hostile()))) < 4004


# --- github ----------------------------------------------------------------------------


def test_annotations_point_at_the_students_lines() -> None:
    """The line of the failure, or else that of the function; properties are escaped."""
    assert github.commands(single(mark("merge_pair"))) == ""
    assert github.commands(several()) == ""
    lines = github.commands(single(wrong(), hostile())).splitlines()
    assert lines[0].startswith("::error file=katas/encode_bpe.py,line=12,title=encode_bpe WRONG::")
    assert LAW in lines[0]
    assert ",line=3," in lines[1]
    many = single(*[wrong()] * 30)
    assert github.commands(many).count("\n") == github.MAX_ANNOTATIONS


def test_a_runner_obeys_nothing_a_student_wrote() -> None:
    """Each line is an annotation of ours or stands between the stop-commands lines."""
    for line in github.commands(single(hostile())).splitlines():
        assert line.startswith("::error file=katas/")
        assert not BAD.search(line)
    quoted = github.quoted("::error::x\n")
    first, middle, last = quoted.splitlines()
    token = first.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert (middle, last) == ("::error::x", f"::{token}::")
    assert github.quoted("x") != github.quoted("x")


def test_the_summary_is_html_that_markdown_leaves_alone() -> None:
    """No empty line, no tag, mention or code span of a student; below the limit."""
    text = github.summary(several())
    assert not BAD.search(text)
    assert "\n\n" not in text
    assert "<b>" not in text
    assert "@" not in text
    assert "`" not in text
    crowd = replace(several(), entries=several().entries * 400)
    assert len(github.summary(crowd).encode()) < 900 * 1024
    assert "was cut here" in github.summary(crowd)


# --- csv and text ----------------------------------------------------------------------


def test_csv_is_a_row_a_student_and_no_formula() -> None:
    """What a spreadsheet would compute is text."""
    rows = list(csv_reader.DictReader(io.StringIO(csv.render(several()), newline=""), strict=True))
    assert [row["points"] for row in rows] == ["2", "1", "0", "1"]
    assert rows[0]["encode_bpe"] == "PASS"
    assert rows[0]["similar_to_reference"] == "encode_bpe"
    assert rows[1]["student"] == "'=bob()"
    assert rows[1]["mistakes"] == "encode_bpe:leftmost_first"
    assert rows[2]["merge_pair"] == "MISSING"
    assert not BAD.search(csv.render(several()).replace("\r\n", ""))


def test_the_table_says_who_needs_a_look() -> None:
    """Similar to the reference, late, and what did not pass."""
    out = io.StringIO()
    show(console(out, width=100), BatchView(several()))
    text = out.getvalue()
    assert "ada: encode_bpe equals the reference but for names and layout." in text
    assert "2 commits after the deadline left out" in text
    assert "encode_bpe WRONG · merge_pair MISSING" in text
    assert "4 students · 4 of 8 katas passed · seed 7" in text
    assert not BAD.search(text.replace("\n", ""))


# --- redaction -------------------------------------------------------------------------


def test_no_format_of_a_student_holds_what_a_hidden_case_expects() -> None:
    """Expected values, steps and a suite's remarks go; the call, the answer and the law stay."""
    from tests.reports import FOUND

    secret = replace(
        FOUND, expected="['SECRET']", note="SECRET note", steps=(("SECRET", "SECRET", "SECRET"),)
    )
    broken = mark("encode_bpe", Outcome.BROKEN, verdicts=(), message="Traceback\nSECRET")
    whole = single(wrong(secret), broken)
    shown = redaction.cohort(whole)
    for render in (gradescope.render, classroom.render, junit.render, github.commands):
        assert "SECRET" in _plain(render(whole))
        assert "SECRET" not in _plain(render(shown))
        assert "tea" in _plain(render(shown))
    document = json.dumps(batch.document(shown.entries, HEAD, revealed=False))
    assert "SECRET" not in document
    validator().validate(json.loads(document))


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("the value at [3][0] of what you return must be str, not int", True),
        ("you changed the argument `words`", True),
        ("('e', 'a') can still be merged", False),
        ("merge 3 is a pair that no word holds any more", False),
    ],
)
def test_of_remarks_only_the_engines_stay(note: str, kept: bool) -> None:
    """What a suite remarks can give a right answer away."""
    from tests.reports import FOUND

    (shown,) = redaction.cohort(single(wrong(replace(FOUND, note=note)))).entries[0].marks
    assert shown.first_failure is not None
    assert (shown.first_failure["counterexample"]["note"] == note) is kept


def _plain(text: str) -> str:
    return base64.b64decode(text).decode() if re.fullmatch(r"[\w+/=]+\n", text) else text


# --- html ------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a page, in order, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("cohort", everything())
def test_the_page_needs_nothing_else(cohort: Cohort) -> None:
    """Tags are balanced, nothing is loaded or run, and what a student wrote is text."""
    page = html.render(cohort)
    assert not BAD.search(page)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    names = {name for name, _ in tags.attributes}
    assert not {name for name in names if name.startswith("on")} | {"src", "href"} & names
    assert "url(" not in page
    assert "<script" not in page
    assert "default-src 'none'" in page


def test_the_page_says_what_the_class_got() -> None:
    """Each kata, the mistakes by frequency, and a row a student that opens."""
    tags = Tags()
    tags.feed(html.render(several()))
    assert "1 passed, 2 wrong, 1 no solution" in tags.text
    assert "You merge the leftmost pair you know." in tags.text
    assert "similar to the reference" in tags.text
    assert html.render(several()).count('<details class="student">') == 4
    empty = replace(several(), entries=())
    assert "0 students" in html.render(empty)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium here")
def test_a_browser_shows_the_page(tmp_path: Path) -> None:
    """Headless Chromium lays it out: no error, no request, a picture with colours in it."""
    page = tmp_path / "page.html"
    page.write_text(html.render(several()), encoding="utf-8")
    options = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}", "--window-size=900,1600",
        f"--screenshot={tmp_path / 'page.png'}", "--enable-logging=stderr",
    ]  # fmt: skip
    done = subprocess.run(
        ["chromium", *options, page.as_uri()], capture_output=True, text=True, timeout=120,
        check=True,
    )  # fmt: skip
    picture = (tmp_path / "page.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000
    assert "Content Security Policy" not in done.stderr
