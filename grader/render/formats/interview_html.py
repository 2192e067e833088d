"""The report of an interview as one page that needs nothing else: no script, font or address."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from grader.interview.facts import Answer, Criterion, Examined, Moment, Sheet, Written
from grader.render import words
from grader.render.escape import readable
from grader.render.formats import sheet as shared

_TICKS = 6
_KEY = (("pass", "held"), ("wrong", "did not hold"))
_CLASSES = {"edited": "edit", "hinted": "hint", "paused": "pause", "resumed": "pause"}


def render(sheet: Sheet) -> str:
    """The whole page."""
    here = Path(__file__)
    names = ("page.css", "interview.css")
    style = "".join(here.with_name(name).read_text(encoding="utf-8") for name in names)
    body = "".join(
        (
            _head(sheet),
            _rubric(sheet),
            _chart(sheet),
            *map(_written, sheet.written),
            _answers(sheet),
            _timeline(sheet),
        )
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Interview: {_t(sheet.title)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _head(sheet: Sheet) -> str:
    holds, told = shared.journal(sheet)
    facts = "".join(f'<p class="soft">{_t(fact)}</p>' for fact in shared.facts(sheet))
    name = "soft" if holds else "bad"
    lines = "".join(f'<p class="{name}">{_t(line)}</p>' for line in told)
    return f"<header><h1>Interview: {_t(sheet.title)}</h1>\n{facts}{lines}</header>\n"


def _rubric(sheet: Sheet) -> str:
    rows = "".join(map(_criterion, sheet.rubric))
    notes = "".join(f"<blockquote>{_t(note)}</blockquote>" for note in sheet.notes)
    return f"<h2>{_t(shared.total(sheet))}</h2>\n<table>\n{rows}</table>\n{notes}"


def _criterion(criterion: Criterion) -> str:
    counts = criterion.counts
    boxes = "".join(f'<i class="{"on" if n < (counts or 0) else ""}"></i>' for n in range(4))
    shown = f'<span class="marks" aria-hidden="true">{boxes}</span>' if counts is not None else ""
    return (
        f'<tr><td class="name">{criterion.name}</td><td class="n">{shared.mark_of(criterion)}</td>'
        f'<td>{shown}</td><td class="soft">{_t(criterion.evidence)}</td></tr>\n'
    )


def _chart(sheet: Sheet) -> str:
    """The interview from left to right: its stages, what happened, how the code grew."""
    whole = max(sheet.minutes * 60.0, sheet.spent_s, 1.0)
    lanes = [_lane("stages", "".join(_stages(sheet, whole)))]
    for name, kinds in shared.LANES:
        found = [one for one in sheet.timeline if one.kind in kinds]
        if found:
            lanes.append(_lane(name, "".join(_dot(one, whole) for one in found)))
    lanes += [
        _growth(written, sheet.spent_s, whole) for written in sheet.written if written.growth[1:]
    ]
    ticks = "".join(
        f'<span style="left:{100 * n / _TICKS:.2f}%">{words.clock(whole * n / _TICKS)}</span>'
        for n in range(_TICKS + 1)
    )
    lanes.append(f'<div class="lane axis"><span></span><div class="track">{ticks}</div></div>\n')
    key = "".join(f'<span><i class="{name}"></i>{text}</span>' for name, text in _KEY)
    return (
        f'<h2>How it went</h2>\n<div class="chart">{"".join(lanes)}</div>\n'
        f'<div class="key">{key}</div>\n{_times(sheet)}'
    )


def _times(sheet: Sheet) -> str:
    rows = "".join(
        f'<tr><td>{_t(stage.title)}</td><td class="soft">{_t(stage.kata or "")}</td>'
        f'<td class="n">{words.clock(stage.planned_s)}</td>'
        f'<td class="n">{"not reached" if stage.spent_s is None else words.clock(stage.spent_s)}'
        "</td></tr>\n"
        for stage in sheet.stages
    )
    return (
        '<table>\n<tr><th>stage</th><th></th><th class="n">planned</th><th class="n">spent</th>'
        f"</tr>\n{rows}</table>\n"
    )


def _stages(sheet: Sheet, whole: float) -> Iterator[str]:
    begin = 0.0
    for stage in sheet.stages:
        if stage.spent_s is None:
            return
        place = f"left:{100 * begin / whole:.2f}%;width:{100 * stage.spent_s / whole:.2f}%"
        yield f'<b style="{place}" title="{_t(stage.title)}">{_t(stage.title)}</b>'
        begin += stage.spent_s


def _dot(one: Moment, whole: float) -> str:
    name = _CLASSES.get(one.kind, "")
    if one.good is not None:
        name = "pass" if one.good else "wrong"
    when, text = shared.moment(one)
    told = _t(f"{when} {text}")
    return f'<i class="{name}" style="left:{100 * one.at_s / whole:.2f}%" title="{told}"></i>'


def _growth(written: Written, end_s: float, whole: float) -> str:
    most = max(max(each.lines for each in written.growth), 1)
    points, last = [], 0
    for each in written.growth:
        at = 100 * each.at_s / whole
        points += [f"{at:.2f},{40 - 38 * last / most:.2f}"]
        points += [f"{at:.2f},{40 - 38 * each.lines / most:.2f}"]
        last = each.lines
    points.append(f"{100 * end_s / whole:.2f},{40 - 38 * last / most:.2f}")
    drawn = (
        '<svg viewBox="0 0 100 41" preserveAspectRatio="none" role="img" '
        f'aria-label="lines of code of {written.kata}">'
        f'<polyline points="{" ".join(points)}"/></svg>'
        f"<em>{written.kata}, up to {words.count(most, 'line')}</em>"
    )
    return f'<div class="lane tall"><span>code</span><div class="track">{drawn}</div></div>\n'


def _lane(name: str, inside: str) -> str:
    return f'<div class="lane"><span>{name}</span><div class="track">{inside}</div></div>\n'


def _written(written: Written) -> str:
    versions = "".join(map(_version, written.versions))
    final = written.final
    code = (
        f"<details><summary>The code that counts</summary><pre>{_t(shared.source(final))}</pre>"
        "</details>\n"
        if final and final.source
        else ""
    )
    told = " · ".join(shared.history(written))
    return (
        f"<h2><code>{written.kata}</code></h2>\n<p>{_t(told)}</p>\n"
        f'<p class="soft">What counts: {_t(written.taken)}.</p>\n{versions}{code}'
    )


def _version(version: Examined) -> str:
    kind = "made" if version.outcome == "PASS" else "missed"
    notes = "".join(f"<p>{_t(note)}</p>" for note in shared.version_notes(version))
    call = "\n".join(shared.version_call(version))
    block = f"<pre>{_t(call)}</pre>" if call else ""
    head = _t(shared.version_head(version))
    return f'<article><h3 class="{kind}">{head}</h3>{notes}{block}</article>\n'


def _answers(sheet: Sheet) -> str:
    found = "".join(map(_answer, sheet.answers))
    return f"<h2>Answers</h2>\n{found}" if found else ""


def _answer(answer: Answer) -> str:
    typed = "\n".join(shared.said(answer))
    said = f"<blockquote>{_t(typed)}</blockquote>" if typed else ""
    verdict = f"<p>{_t(answer.verdict)}</p>" if answer.verdict else ""
    points = ""
    if not answer.skipped and answer.checked is None:
        points = "".join(_point(point, made) for point, made in answer.points)
    return (
        f"<article><h3>{_t(answer.ask)}</h3>"
        f'<p class="soft">{_t(shared.answer_head(answer))} · <code>{_t(answer.id)}</code></p>'
        f"{said}{verdict}{f'<ul>{points}</ul>' if points else ''}</article>\n"
    )


def _point(point: str, made: bool | None) -> str:
    name = "soft" if made is None else "made" if made else "missed"
    return f'<li><span class="{name}">{shared.tick(made)}</span>{_t(point)}</li>'


def _timeline(sheet: Sheet) -> str:
    rows = "".join(
        f'<tr><td class="n soft">{when}</td><td>{_t(text)}</td></tr>\n'
        for when, text in map(shared.moment, shared.rows(sheet))
    )
    return f"<h2>Timeline</h2>\n<table>\n{rows}</table>\n"


def _t(text: str) -> str:
    """Text of anybody, as text: what is invisible was made visible before."""
    return escape("\n".join(readable(line) for line in text.split("\n")))
