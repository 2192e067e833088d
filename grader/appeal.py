"""What backs a mark: grade again from a report and compare, or show a hidden case whole."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from grader import catalog, fingerprint, grading, judge, pool, redaction, revive, sources
from grader.errors import (
    EXIT_BROKEN,
    EXIT_NOT_PASSED,
    EXIT_PASSED,
    GraderFault,
    UsageError,
)
from grader.gradebook import Entry, Mark, Origin, from_dict
from grader.model import Tier
from grader.render.appeal import CaseInFull
from grader.render.console import console, show
from grader.render.json import MEASURED, verdicts
from grader.sources import Place, Taken

_BYTES = 512 << 20
#: What two gradings of one file must agree on.
_VERDICT = ("outcome", "message", "problem", "cases", "diagnosis")


@dataclass(frozen=True, slots=True)
class Past:
    """A student's entry as a report file has it."""

    entry: Entry
    revealed: bool  # what hidden cases expect is in it


# --- verify ---------------------------------------------------------------------------


def verify(
    report: Path, repo: Path, student: str | None, extra: Path | None, stdout: TextIO
) -> int:
    """Grade again from the report's commit, seed and options; say what is the same.

    0: everything is. 1: a verdict differs. 3: it cannot be reproduced here.
    """
    past = one_of(load(report), student, report)
    texts = grading.extra_tests(extra, [mark.kata for mark in past.entry.marks])
    judged = [mark for mark in past.entry.marks if mark.report is not None]
    reasons = [reason for mark in judged for reason in _differing(mark, texts)]
    if reasons:
        for reason in dict.fromkeys(reasons):
            print(reason, file=stdout)
        print("With these it cannot be reproduced here.", file=stdout)
        return EXIT_BROKEN
    again = _again(past.entry, repo, texts)
    codes = [
        _compared(old, new, stdout) for old, new in zip(past.entry.marks, again.marks, strict=True)
    ]
    return max(codes)


def _differing(mark: Mark, extra: pool.Extra) -> Iterator[str]:
    """Each version that is not the one of the report, as a sentence."""
    assert mark.report is not None
    kata = catalog.find(mark.kata)
    texts = [text.encode() for of, _, text in extra if of == mark.kata]
    here = judge.versions() | {"suite": fingerprint.of_suite(kata, texts=tuple(texts))}
    then = mark.report["versions"]
    for name in sorted({*here, *then} - {"suite"}):
        if here.get(name) != then.get(name):
            yield f"Graded with {name} {then.get(name)}; here it is {here.get(name)}."
    if here["suite"] != then.get("suite"):
        yield (
            f"The suite of {mark.kata} is not the one of the report (or its private tests "
            "are not: give them as --extra-tests)."
        )


def _compared(old: Mark, new: Mark, stdout: TextIO) -> int:
    """Say whether two marks agree; 3 where ours is no verdict."""
    if new.result == "BROKEN":
        print(f"{old.kata}: the grader failed now ({_first_line(new.text)}).", file=stdout)
        return EXIT_BROKEN
    if old.result != new.result or not _same(old.report, new.report):
        told = new.result if old.result != new.result else "other cases"
        print(f"{old.kata}: DIFFERS: {old.result} in the report, {told} now.", file=stdout)
        return EXIT_NOT_PASSED
    level = "" if old.report is None else _levels(old.report, new.report or {})
    print(f"{old.kata}: {old.result}, the same{level}.", file=stdout)
    return EXIT_PASSED


def _same(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return old is new
    return _verdict(old) in (_verdict(new), _verdict(redaction.report(new)))


def _verdict(report: Mapping[str, Any]) -> Any:
    return verdicts({name: report[name] for name in _VERDICT if name not in MEASURED})


def _levels(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    then, now = old["isolation"]["level"], new["isolation"]["level"]
    return "" if then == now else f" (isolation was {then}, now {now})"


def _first_line(text: str | None) -> str:
    lines = (text or "").strip().splitlines()
    return lines[-1] if lines else "no reason"


# --- explain --------------------------------------------------------------------------


def explain(
    report: Path,
    case: str,
    student: str | None,
    kata: str | None,
    repo: Path | None,
    stdout: TextIO,
    width: int | None,
) -> int:
    """Show one case with everything the instructor may know."""
    past = one_of(load(report), student, report)
    mark = _with_case(past.entry, case, kata)
    found = _case(mark, case)
    hidden = found["tier"] != Tier.EXAMPLE and found["outcome"] not in ("PASS", None)
    if hidden and not past.revealed:
        if repo is None or case.startswith("extra/"):
            raise UsageError(
                f"{report} does not hold what hidden cases expect; give the student's file of "
                "the results folder, or --repo PATH to grade again."
            )
        (mark,) = _again(replace(past.entry, marks=(mark,)), repo, ()).marks
        if mark.report is None:
            raise GraderFault(f"The grader failed: {_first_line(mark.text)}")
        found = _case(mark, case)
    assert mark.report is not None
    whole = revive.report(catalog.find(mark.kata), mark.report)
    verdict = next(v for v in whole.verdicts if v.id == found["id"])
    source = _source(mark.kata, verdict.id)
    show(console(stdout, width=width), CaseInFull(past.entry.student, whole, verdict, source))
    return EXIT_PASSED


def _with_case(entry: Entry, case: str, kata: str | None) -> Mark:
    judged = [mark for mark in entry.marks if mark.report is not None]
    having = [mark for mark in judged if kata in (None, mark.kata) and case in _ids(mark)]
    if len(having) > 1:
        names = ", ".join(mark.kata for mark in having)
        raise UsageError(f"Several katas have a case {case!r} ({names}); add --kata NAME.")
    if not having:
        known = sorted({known for mark in judged for known in _ids(mark)})
        near = catalog.nearest(case, known)
        offer = f"did you mean {near!r}?" if near else f"known are {', '.join(known) or 'none'}."
        raise UsageError(f"The report has no case {case!r}; {offer}")
    return having[0]


def _ids(mark: Mark) -> list[str]:
    return [case["id"] for case in (mark.report or {})["cases"]]


def _case(mark: Mark, case: str) -> Mapping[str, Any]:
    assert mark.report is not None
    found: Mapping[str, Any] = next(c for c in mark.report["cases"] if c["id"] == case)
    return found


def _source(kata: str, case: str) -> str:
    """The test as the suite has it; empty for a private one."""
    text = catalog.find(kata).suite.read_text(encoding="utf-8")
    name = f"test_{case.partition('[')[0]}"
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(text, node) or ""
    return ""


# --- the report, and its files again --------------------------------------------------


def load(path: Path) -> list[Past]:
    """The entries of a `kata-grade/1` or `kata-report/1` file."""
    try:
        if path.stat().st_size > _BYTES:
            raise ValueError
        data = json.loads(path.read_bytes())
        if data["schema"] == "kata-report/1":
            marks = tuple(
                Mark(r["kata"], r["outcome"], r["message"], r["submission"]["sha256"], report=r)
                for r in data["reports"]
            )
            return [Past(Entry("", Origin(""), marks), revealed=True)]
        if data["schema"] != "kata-grade/1":
            raise ValueError
        revealed = bool(data["revealed"])
        return [Past(from_dict(student), revealed) for student in data["students"]]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; give a report in JSON.") from None
    except (ValueError, LookupError, TypeError, RecursionError):
        raise UsageError(f"{path} is no report of `kata grade` or `kata run` in JSON.") from None


def one_of(entries: list[Past], student: str | None, path: Path) -> Past:
    """The student that is meant."""
    if student is None and len(entries) == 1:
        return entries[0]
    names = [past.entry.student for past in entries]
    if student is None:
        raise UsageError(f"{path} has {len(names)} students; add --student NAME.")
    if student not in names:
        near = catalog.nearest(student, names)
        offer = f"; did you mean {near!r}?" if near else "."
        raise UsageError(f"{path} has no student {student!r}{offer}")
    return entries[names.index(student)]


def _again(past: Entry, repo: Path, extra: pool.Extra) -> Entry:
    """The entry graded again from the same bytes.

    Raises `UsageError` when the repository does not hold them.
    """
    katas = [mark.kata for mark in past.marks]
    place, *more = sources.places([repo], None, past.origin.commit)
    if more:
        raise UsageError(f"--repo {repo} holds several forks; give the one that was graded.")
    snapshot = sources.read(place, katas)
    files = dict(zip(katas, snapshot.files, strict=True))
    for mark in past.marks:
        _check_bytes(mark, files[mark.kata], place)
    seeds = {mark.report["seed"] for mark in past.marks if mark.report is not None}
    seed = seeds.pop() if seeds else 0
    timed = any(mark.report and mark.report["timing"] for mark in past.marks)
    worker = pool.Worker()
    try:
        terms = pool.Terms(seed, timing=timed, extra=extra)
        return pool.grade(worker, pool.Job(snapshot, terms))
    finally:
        worker.close()


def _check_bytes(mark: Mark, taken: Taken, place: Place) -> None:
    then, now = mark.sha256 or mark.result, taken.sha256 or taken.found.value
    if then != now and mark.result not in ("BROKEN", "NOT_GRADED"):
        raise UsageError(
            f"{taken.path} of {place.given} is not what was graded ({then[:12]} then, "
            f"{now[:12]} now); give the repository as it was."
        )
