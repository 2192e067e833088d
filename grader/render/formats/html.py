"""A cohort as one page that needs nothing else: no script, no font, no address.

What the class got, which mistakes it makes, how long things took, and a row a student
that opens.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from grader.gradebook import Cohort, Entry, Mark
from grader.render import words
from grader.render.escape import readable
from grader.render.formats.lines import details, headline, name_of, points, shown
from grader.render.theme import UNICODE

#: The kinds of result, in the order they are drawn: class, label, results.
KINDS = (
    ("pass", "passed", ("PASS",)),
    ("wrong", "wrong", ("WRONG",)),
    ("error", "raised an error", ("RAISED",)),
    ("stop", "stopped", ("TIMEOUT", "MEMORY", "FORBIDDEN", "CRASH")),
    ("none", "no solution", ()),
)
_DETAIL_CHARS = 4000
_COLUMNS = 10


def render(cohort: Cohort) -> str:
    """The whole page."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    body = "".join(
        (
            _head(cohort),
            _per_kata(cohort),
            _scores(cohort),
            _mistakes(cohort),
            _timings(cohort),
            _students(cohort),
        )
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Katas: {words.count(len(cohort.entries), 'student')}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _kind(mark: Mark) -> str:
    return next((name for name, _, results in KINDS if mark.result in results), "none")


def _marks(cohort: Cohort) -> list[Mark]:
    return [mark for entry in cohort.entries for mark in entry.marks]


def _head(cohort: Cohort) -> str:
    marks = _marks(cohort)
    passed = sum(mark.passed for mark in marks)
    facts = [
        words.count(len(cohort.entries), "student"),
        f"{passed:,} of {words.count(len(marks), 'kata')} passed",
        f"seed {cohort.seed}",
    ]
    facts += [f"deadline {_t(cohort.deadline)}"] if cohort.deadline else []
    versions = ", ".join(f"{name} {value}" for name, value in cohort.versions.items())
    return f'<h1>Results</h1>\n<p>{" · ".join(facts)}</p>\n<p class="soft">{_t(versions)}</p>\n'


def _per_kata(cohort: Cohort) -> str:
    rows = []
    for number, kata in enumerate(cohort.katas):
        marks = [entry.marks[number] for entry in cohort.entries]
        count = Counter(map(_kind, marks))
        told = ", ".join(f"{count[name]} {label}" for name, label, _ in KINDS if count[name])
        bar = "".join(
            f'<i class="{name}" style="flex:{count[name]}"></i>'
            for name, _, _ in KINDS
            if count[name]
        )
        rows.append(
            f'<tr><td><code>{kata}</code></td><td class="n">{count["pass"]} of {len(marks)}</td>'
            f'<td><div class="bar" role="img" aria-label="{told}" title="{told}">{bar}</div></td>'
            f'<td class="soft">{told}</td></tr>\n'
        )
    key = "".join(f'<span><i class="{name}"></i>{label}</span>' for name, label, _ in KINDS)
    return (
        '<h2>Each kata</h2>\n<table>\n<tr><th>kata</th><th class="n">passed</th>'
        f'<th></th><th></th></tr>\n{"".join(rows)}</table>\n<div class="key">{key}</div>\n'
    )


def _scores(cohort: Cohort) -> str:
    """How many students earned what share of the points."""
    shares = [e.points / e.max_points if e.max_points else 0.0 for e in cohort.entries]
    if not shares:
        return ""
    count = Counter(min(int(share * _COLUMNS + 1e-9), _COLUMNS) for share in shares)
    most = max(count.values())
    columns = "".join(
        f'<div>{count[n] or ""}<b style="height:{84 * count[n] / most:.0f}%"></b></div>'
        for n in range(_COLUMNS + 1)
    )
    labels = "".join(f"<span>{n * 100 // _COLUMNS} %</span>" for n in range(_COLUMNS + 1))
    middle = statistics.median(shares)
    return (
        f'<h2>Points</h2>\n<p class="soft">Students by share of the points, each column from '
        f"its label up to the next. The median is {middle * 100:.0f} %.</p>\n"
        f'<div class="columns">{columns}</div>\n<div class="labels">{labels}</div>\n'
    )


def _mistakes(cohort: Cohort) -> str:
    """The known mistakes of the class, the most frequent first."""
    found: Counter[tuple[str, str]] = Counter()
    for mark in _marks(cohort):
        diagnosis = (mark.report or {}).get("diagnosis")
        if diagnosis and mark.result != "PASS":
            found[mark.kata, diagnosis["title"]] += 1
    unnamed = sum(
        mark.result in ("WRONG", "RAISED", "TIMEOUT") and not (mark.report or {}).get("diagnosis")
        for mark in _marks(cohort)
    )
    if not found and not unnamed:
        return ""
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    most = max(found.values(), default=1)
    rows = "".join(
        f'<tr><td class="n">{n}</td><td><div class="one" style="width:{90 * n / most:.0f}px">'
        f"</div></td><td>{_t(title)}</td><td><code>{kata}</code></td></tr>\n"
        for (kata, title), n in ranked
    )
    rest = f'<p class="soft">{unnamed} more failed in a way no known mistake explains.</p>\n'
    return (
        '<h2>Mistakes</h2>\n<table>\n<tr><th class="n">students</th><th></th><th>mistake</th>'
        f"<th>kata</th></tr>\n{rows}</table>\n{rest if unnamed else ''}"
    )


def _timings(cohort: Cohort) -> str:
    """How long grading took and, where it was measured, the solutions beside the reference."""
    rows = []
    for number, kata in enumerate(cohort.katas):
        reports = [r for e in cohort.entries if (r := e.marks[number].report)]
        spent = [report["measured"]["seconds"] for report in reports]
        ratios = [
            report["timing"]["ratio"]
            for report in reports
            if report["timing"] and report["timing"]["ratio"] is not None
        ]
        rows.append(
            f"<tr><td><code>{kata}</code></td>{_spread(spent, words.duration)}"
            f"{_spread(ratios, lambda r: words.ratio(r, None, UNICODE))}</tr>\n"
        )
    heads = '<th class="n">least</th><th class="n">median</th><th class="n">most</th>' * 2
    return (
        '<h2>Time</h2>\n<table>\n<tr><th></th><th class="n" colspan="3">grading a submission</th>'
        '<th class="n" colspan="3">solution beside the reference</th></tr>\n'
        f"<tr><th>kata</th>{heads}</tr>\n{''.join(rows)}</table>\n"
    )


def _spread(values: list[float], say: object) -> str:
    if not values:
        return '<td class="n soft">–</td>' * 3
    assert callable(say)
    parts = (min(values), statistics.median(values), max(values))
    return "".join(f'<td class="n">{say(value)}</td>' for value in parts)


def _students(cohort: Cohort) -> str:
    rows = "".join(map(_student, cohort.entries))
    return f'<h2>Students</h2>\n<p class="soft">A row opens.</p>\n{rows}'


def _student(entry: Entry) -> str:
    dots = "".join(
        f'<i class="{_kind(mark)}" title="{mark.kata} {mark.result}"></i>' for mark in entry.marks
    )
    worth = f"{points(entry.points)} of {points(entry.max_points)}"
    flag = ' <span class="flag">similar to the reference</span>' * any(
        mark.similar for mark in entry.marks
    )
    return (
        f'<details class="student"><summary><span class="name">{_t(name_of(entry))}{flag}</span>'
        f'<span class="dots">{dots}</span><span>{worth}</span></summary>\n'
        f'<div class="inside">{_lines(_origin(entry), "p", "soft")}'
        f"{''.join(map(_mark, entry.marks))}</div></details>\n"
    )


def _origin(entry: Entry) -> Iterator[str]:
    origin = entry.origin
    yield shown(origin.repository, 300)
    if origin.commit:
        dates = f"committed {origin.committed}, authored {origin.authored}"
        yield f"commit {origin.commit[:12]}, {dates}"
    if origin.later_commits:
        yield f"{words.count(origin.later_commits, 'commit')} after the deadline left out"


def _mark(mark: Mark) -> str:
    done, scored = mark.case_counts
    cases = f" · {done} of {words.count(scored, 'case')}" if scored else ""
    worth = f"{points(mark.points)} of {points(mark.max_points)}"
    similar = '<p class="flag">Equals the reference but for names and layout.</p>' * mark.similar
    lines = [] if mark.passed and not mark.statement_changed else details(mark)
    told = "" if mark.passed else f"<p>{_t(headline(mark))}</p>"
    body = f"<pre>{_t(chr(10).join(lines)[:_DETAIL_CHARS])}</pre>" if lines else ""
    return (
        f'<div class="mark"><div class="dots"><i class="{_kind(mark)}"></i>'
        f'<code>{mark.kata}</code> <span class="soft">{mark.result}{cases} · {worth}</span></div>'
        f"{told}{similar}{body}</div>\n"
    )


def _lines(lines: Iterable[str], tag: str, name: str) -> str:
    return "".join(f'<{tag} class="{name}">{_t(line)}</{tag}>' for line in lines)


def _t(text: str) -> str:
    """Text of anybody, as text: what is invisible was made visible before."""
    return escape("\n".join(readable(line) for line in text.split("\n")))
