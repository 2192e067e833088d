"""The rubric: marks from 0 to 4, each from evidence in the journal, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence

from grader.interview.facts import Answer, Criterion, Examined, Written
from grader.render import words

NAMES = ("correctness", "edge cases", "complexity", "testing", "communication")
#: Marks for a share of something, beginning at the top; below the last it is 0.
_SHARES = ((1.0, 4), (0.75, 3), (0.5, 2), (0.25, 1))


def marks(written: Sequence[Written], answers: Sequence[Answer]) -> tuple[Criterion, ...]:
    """The rubric as the evidence has it; the marks are None where there is no evidence."""
    return (
        _correctness(written),
        _edge_cases(written),
        _complexity(written, answers),
        _testing(written),
        _communication(answers),
    )


def _correctness(written: Sequence[Written]) -> Criterion:
    """What was taken at the end."""
    finals = [w.final for w in written if w.final]
    if not finals:
        return Criterion("correctness", None, "Nothing was judged.")
    told = "; ".join(
        f"{w.kata} {w.final.outcome}, {w.final.passed} of {w.final.total} cases"
        for w in written
        if w.final
    )
    return Criterion("correctness", _mean([_solved(final) for final in finals]), f"{told}.")


def _solved(final: Examined) -> int:
    """4 is for a pass alone."""
    if final.outcome == "PASS":
        return 4
    return min(3, _by_share(final.passed, final.total))


def _edge_cases(written: Sequence[Written]) -> Criterion:
    """How much the first submit had thought of."""
    firsts = [
        (w.kata, min(w.versions, key=lambda version: version.at_s))
        for w in written
        if w.submits and w.versions
    ]
    if not firsts:
        return Criterion("edge cases", None, "Nothing was submitted.")
    told = "; ".join(
        f"{kata}: {first.passed} of {first.total} cases at the first submit"
        for kata, first in firsts
    )
    found = [_by_share(first.passed, first.total) for _, first in firsts]
    return Criterion("edge cases", _mean(found), f"{told}.")


def _complexity(written: Sequence[Written], answers: Sequence[Answer]) -> Criterion:
    """The time beside the reference, the stretch cases, and the follow-ups that were checked."""
    found, told = [], []
    for each in written:
        final = each.final
        if final is None or final.ratio is None:
            continue
        fast = 4 if final.ratio <= 2 else 3 if final.ratio <= 5 else 2 if final.ratio <= 25 else 1
        found.append(max(0, fast - bool(final.open_stretch)))
        stretch = f", {len(final.open_stretch)} stretch open" if final.open_stretch else ""
        told.append(f"{each.kata} takes {final.ratio:.1f} times the reference's time{stretch}")
    checked = [answer for answer in answers if answer.checked is not None]
    if checked:
        passed = sum(bool(answer.checked) for answer in checked)
        found.append(_by_share(passed, len(checked)))
        told.append(f"{passed} of {len(checked)} checked follow-ups hold")
    if not found:
        return Criterion("complexity", None, "Nothing passed, so nothing was timed.")
    return Criterion("complexity", _mean(found), "; ".join(told) + ".")


def _testing(written: Sequence[Written]) -> Criterion:
    """Whether a version was tried on the examples before it was submitted."""
    submits = sum(w.submits for w in written)
    tested, runs = sum(w.tested for w in written), sum(w.runs for w in written)
    if not submits:
        evidence = f"Nothing was submitted; {words.count(runs, 'run')} of the examples."
        return Criterion("testing", 1 if runs else None, evidence)
    told = (
        f"{tested} of {words.count(submits, 'submit')} had been run on the examples before; "
        f"{words.count(runs, 'run')} in all."
    )
    return Criterion("testing", _by_share(tested, submits), told)


def _communication(answers: Sequence[Answer]) -> Criterion:
    """The points that were ticked off."""
    ticks = [said for answer in answers for _, said in answer.points if said is not None]
    if not ticks:
        said = sum(not answer.skipped for answer in answers)
        told = (
            f"{words.count(said, 'answer')}, none ticked off"
            if said
            else "No question was answered"
        )
        return Criterion("communication", None, f"{told}.")
    made = sum(ticks)
    told = f"{made} of {len(ticks)} points made, as ticked off."
    # Nobody says everything: two points of three are a very good answer.
    return Criterion("communication", _by_share(min(made * 1.5, len(ticks)), len(ticks)), told)


def _by_share(part: float, whole: int) -> int:
    share = part / whole if whole else 0.0
    return next((mark for least, mark in _SHARES if share >= least), 0)


def _mean(found: Sequence[int]) -> int:
    """Rounded half up."""
    return int(sum(found) / len(found) + 0.5)
