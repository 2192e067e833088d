"""What is shown: whole screens as exact text, at several widths and character sets."""

from __future__ import annotations

import ast
import io
import json
import re
from dataclasses import replace
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import RenderableType
from rich.theme import Theme

from grader import revive
from grader.model import Counterexample, Isolation, Outcome, Tier
from grader.render import json as report_json
from grader.render import words
from grader.render.catalog import CheckView, CreatedView, ListView, StatementView, WhereView
from grader.render.console import KataConsole, console, show
from grader.render.report import ReportLine, ReportView, Summary
from grader.render.theme import ASCII, STYLES, UNICODE
from grader.render.values import aligned, compared, first_difference, folded
from tests.reports import (
    DIAGNOSIS,
    FOUND,
    TIMING,
    TIMING_WITH_SIDES,
    failing,
    make_kata,
    make_report,
    make_verdict,
    passing,
)

NOT_USED = Isolation("not used", "pure")

#: Where `['tea', 't']` leaves `['t', 'eat']`.
STEPS = (
    ("rank 0 (e, a)", "t e a t → t ea t", ""),
    ("rank 1 (ea, t)", "t ea t → t eat", "you merged (t, ea), rank 2, here"),
)


class Paper(io.StringIO):
    """A stream with an encoding, as a terminal or a pipe has one."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def text_of(view: RenderableType, width: int = 80, encoding: str = "utf-8") -> str:
    """The view as plain text."""
    paper = Paper(encoding)
    show(console(paper, width=width), view)
    return paper.getvalue()


def screen(text: str) -> str:
    return dedent(text).lstrip("\n")


def found(**changes: Any) -> ReportView:
    """The screen of a law that fails with this counterexample."""
    outcome = changes.pop("outcome", Outcome.WRONG)
    return ReportView(make_report(outcome, verdicts=failing(replace(FOUND, **changes), outcome)))


# --- whole screens ---------------------------------------------------------------------


def test_a_passing_run() -> None:
    """A pass shows the counts, the timing and where to go next."""
    view = ReportView(make_report(timing=TIMING), ("kata show merge_and_update",))
    assert text_of(view) == screen("""
        encode_bpe · interview · 20 min                     seed 518452 · isolation full

          examples   4 of 4
          laws       7 of 7     1,400 generated inputs
          stretch    1 of 1

          ✓ PASS

          time on embedded, 4.9 MB, 58,589 distinct pre-tokens
          yours 412 ms · reference 98 ms · 4.2× ± 2 %

          next: kata show merge_and_update
        """)


def test_a_failing_run() -> None:
    """A failure shows one case whole: law, call, both values, where they part, advice."""
    view = ReportView(make_report(Outcome.WRONG, diagnosis=DIAGNOSIS), ("kata run encode_bpe",))
    assert text_of(view) == screen("""
        encode_bpe · interview · 20 min                     seed 518452 · isolation full

          examples   4 of 4
          laws       6 of 7     1,212 generated inputs
          stretch    –          after a pass

          ✗ WRONG  The pair learned first is merged first, wherever it stands.

              encode_bpe('teat', [('e', 'a'), ('ea', 't'), ('t', 'ea')])

              yours      ['tea', 't']
              expected   ['t', 'eat']
                          ↑ first difference

            You merge the leftmost pair you know.
            Look for the lowest rank in the whole sequence, then merge there.
            Your answers are those of this mistake on 38 of 38 inputs that tell it
            apart.

          next: kata run encode_bpe
        """)


def test_a_failing_run_in_60_columns_of_ascii() -> None:
    """Narrow and without UTF-8, the same is said and the call can still be pasted."""
    text = text_of(ReportView(make_report(Outcome.WRONG)), 60, "cp1252")
    assert text == screen("""
        encode_bpe - interview - 20 min
        seed 518452 - isolation full

          examples   4 of 4
          laws       6 of 7     1,212 generated inputs
          stretch    -          after a pass

          x WRONG  The pair learned first is merged first, wherever
                   it stands.

              encode_bpe('teat',
                  [('e', 'a'), ('ea', 't'), ('t', 'ea')])

              yours      ['tea', 't']
              expected   ['t', 'eat']
                          ^ first difference
        """)


def test_a_syntax_error_takes_three_lines() -> None:
    """Place, line, message: nothing of the interpreter's traceback."""
    problem = Counterexample(
        "import encode_bpe", None, None, "SyntaxError: '(' was never closed", "", 14, "  x = (\n"
    )
    view = ReportView(make_report(Outcome.RAISED, verdicts=(), problem=problem))
    assert text_of(view).splitlines()[2:] == [
        "  ✗ RAISED  katas/encode_bpe.py:14",
        "      x = (",
        "    SyntaxError: '(' was never closed",
    ]


def test_an_unwritten_kata_is_told_kindly() -> None:
    """No cross, no seed: what to do, and the commands for it."""
    report = make_report(Outcome.UNWRITTEN, verdicts=(), isolation=NOT_USED)
    view = ReportView(report, ("kata show encode_bpe", "kata run encode_bpe"))
    assert text_of(view) == screen("""
        encode_bpe · interview · 20 min

          · katas/encode_bpe.py is still the stub, so there is nothing to judge yet.
            Open it, read the statement, and write the function where it says `raise
            NotImplementedError`.

          next: kata show encode_bpe · kata run encode_bpe
        """)


def test_an_exception_points_at_the_line() -> None:
    """The place is a link an editor understands, with the line and the message."""
    text = text_of(
        found(
            yours=None,
            outcome=Outcome.RAISED,
            note="IndexError: list index out of range",
            line=9,
            line_text="    return pairs[0]\n",
            prints="trying\n\x1b[2J\n",
        )
    )
    assert screen(r"""
          ✗ RAISED  The pair learned first is merged first, wherever it stands.

              encode_bpe('teat', [('e', 'a'), ('ea', 't'), ('t', 'ea')])

              katas/encode_bpe.py:9    return pairs[0]
              IndexError: list index out of range

              expected   ['t', 'eat']

              printed during this call:
              │ trying
              │ \x1b[2J
        """) in dedent(text[text.index("  ✗") :])


def test_a_time_out_keeps_the_results_so_far() -> None:
    """What was not run is counted, and the input that hung is shown."""
    verdicts = failing(replace(FOUND, yours=None, note="no answer: the call's limit of 5 s passed"))
    cut = tuple(v if n < 6 else replace(v, outcome=None, inputs=0) for n, v in enumerate(verdicts))
    text = text_of(ReportView(make_report(Outcome.TIMEOUT, verdicts=cut)))
    assert "laws       1 of 7     212 generated inputs · 5 not run" in text
    assert "encode_bpe('teat'" in text
    assert "no answer: the call's limit of 5 s passed" in text


def test_our_fault_is_called_our_fault() -> None:
    """BROKEN shows no case and never blames the learner."""
    text = text_of(ReportView(make_report(Outcome.BROKEN, message="law_3: ValueError: x\nlaw_4")))
    assert "✗ BROKEN  law_3: ValueError: x\n    law_4\n" in text
    assert "never counts against you" in text
    assert "encode_bpe('teat'" not in text


def test_other_failures_are_counted_or_shown() -> None:
    """One case is shown and the others counted; `--all-failures` shows each."""
    verdicts = list(failing())
    verdicts[7] = make_verdict("joined", Outcome.WRONG, title="Another law.", found=FOUND)
    report = make_report(Outcome.WRONG, verdicts=tuple(verdicts))
    brief, full = text_of(ReportView(report)), text_of(ReportView(report, all_failures=True))
    assert "1 more case fails; kata run encode_bpe --all-failures shows it." in brief
    assert "Another law." not in brief
    assert "✗ WRONG  Another law." in full
    assert "more case" not in full


def test_a_failed_stretch_case_is_advice() -> None:
    """A stretch case that fails stands under a pass, as the next question."""
    verdicts = list(passing())
    verdicts[-1] = make_verdict("long", Outcome.TIMEOUT, Tier.STRETCH, "A long word is fast.")
    text = text_of(ReportView(make_report(verdicts=tuple(verdicts))))
    assert "✓ PASS\n    An interviewer's next question, still open:\n    – A long word" in text


def test_isolation_that_is_less_than_full_says_why() -> None:
    """The head names the level, and the sentence behind it follows."""
    isolation = Isolation("partial", "pure", {}, "Landlock is not available here.")
    text = text_of(ReportView(make_report(isolation=isolation)))
    assert "isolation partial\nLandlock is not available here.\n" in text


def test_a_run_over_several_katas_is_short() -> None:
    """A pass takes one line, and the last line counts."""
    reports = (
        make_report(timing=TIMING),
        make_report(Outcome.UNWRITTEN, verdicts=(), isolation=NOT_USED),
    )
    assert "".join(text_of(ReportLine(report)) for report in reports) == (
        "✓ encode_bpe        PASS       1,406 inputs · 4.2× ± 2 %\n"
        "· encode_bpe        UNWRITTEN  katas/encode_bpe.py\n"
    )
    assert text_of(Summary(reports)) == "1 of 2 passed · seed 518452 · isolation full\n"


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_every_screen_fits_its_width(width: int, encoding: str) -> None:
    """At any width nothing is wider than the terminal, and everything can be encoded."""
    views = [
        ReportView(make_report(timing=TIMING), ("kata show merge_and_update", "kata list")),
        ReportView(make_report(Outcome.WRONG, diagnosis=DIAGNOSIS)),
        found(steps=STEPS),
        found(
            steps=tuple((f"rank {n} (你, ab)", "你 ab " * n + "→ 你ab", "ab" * n) for n in range(9))
        ),
        found(yours=repr(list("ab" * 90)), expected=repr(list("ab" * 80 + "ba" * 10))),
        found(prints="你好" * 200 + "\n" * 3 + "x" * 500, note="ValueError: " + "你 " * 400),
        StatementView(make_kata(), "katas/encode_bpe.py", ("kata run encode_bpe",)),
        WhereView("0.1.0", "~/katas", 6, 2, "Next is merge_pair.", ("kata show merge_pair",)),
        CreatedView("my", 6, ("cd my",)),
        CheckView("the stub is UNWRITTEN", "it is WRONG"),
    ]
    for view in views:
        text = text_of(view, width, encoding)
        assert text.encode(encoding)
        # Only what cannot be broken may be wider: the statement's code, and 40 is the least.
        wide = [line for line in text.splitlines() if cell_len(line) > width and ">>>" not in line]
        assert width < 60 or not wide
        assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_a_caret_stands_under_the_difference_even_of_wide_characters() -> None:
    """Columns are counted as the terminal counts them."""
    lines = text_of(found(yours="['你好', 'a']", expected="['你好', 'b']")).splitlines()
    at = next(n for n, line in enumerate(lines) if "↑" in line)
    before = lines[at - 1][: lines[at - 1].index("'b'")]
    assert lines[at].index("↑") == cell_len(before)


def test_nothing_of_the_student_is_markup() -> None:
    """Brackets, emoji names and escapes are shown as they are."""
    text = text_of(found(yours="['[red]x[/red]']", note="[bold]KeyError[/] :bug:", prints="[b]"))
    assert "['[red]x[/red]']" in text
    assert "[bold]KeyError[/] :bug:" in text
    assert "│ [b]" in text


def test_colour_is_only_colour() -> None:
    """Take the colours away and the same words are left."""
    view, paper = ReportView(make_report(Outcome.WRONG, diagnosis=DIAGNOSIS)), Paper("utf-8")
    theme = Theme(STYLES)
    target = KataConsole(
        file=paper, width=80, theme=theme, force_terminal=True, color_system="standard"
    )
    show(target, view)
    assert "\x1b[31m" in paper.getvalue()
    assert re.sub(r"\x1b\[[\d;]*m", "", paper.getvalue()) == text_of(view)


# --- explanation and diagnosis ---------------------------------------------------------


def block(
    width: int, encoding: str = "utf-8", steps: tuple[tuple[str, str, str], ...] = STEPS
) -> str:
    """What stands behind the values of a counterexample with these steps."""
    text = text_of(found(steps=steps), width, encoding)
    return "\n" + text.split("first difference\n\n")[1]


def test_steps_stand_in_three_columns() -> None:
    """Heads, what happens, remarks: each begins in one column, and the arrows are aligned."""
    assert (
        block(80)
        == """
      rank 0 (e, a)    t e a t  →  t ea t
      rank 1 (ea, t)   t ea t   →  t eat    you merged (t, ea), rank 2, here
"""
    )


def test_remarks_go_below_where_they_do_not_fit() -> None:
    """What happens stays beside its head as long as there is room for both."""
    assert (
        block(60, "ascii")
        == """
      rank 0 (e, a)    t e a t  ->  t ea t
      rank 1 (ea, t)   t ea t   ->  t eat
                       you merged (t, ea), rank 2, here
"""
    )


def test_steps_are_stacked_where_columns_do_not_fit() -> None:
    """In the narrowest terminal each part has a line of its own."""
    assert (
        block(40)
        == """
      rank 0 (e, a)
        t e a t
        → t ea t
      rank 1 (ea, t)
        t ea t
        → t eat
        you merged (t, ea), rank 2, here
"""
    )


def test_steps_need_no_head_and_no_arrow() -> None:
    """Rows of other shapes line up as well, and rows that are left out are a mark."""
    steps = (("(a, a)", "4 in all", "you have 2"), ("…", "", ""), ("a a", "2 × 2", ""))
    assert (
        block(80, steps=steps)
        == """
      (a, a)   4 in all   you have 2
      …
      a a      2 × 2
"""
    )
    assert (
        block(80, steps=(("", "in all: 4", "you have 2"),))
        == """
      in all: 4   you have 2
"""
    )


def test_symbols_in_steps_are_safe_and_wide_ones_line_up() -> None:
    """A space has its sign or an underscore, controls are escaped, columns are cells."""
    steps = (("rank 0 (你, ␣)", "你 ␣ → 你␣", "x"), ("rank 1 (a, b)", "a \x1b → a\x1b", "y"))
    assert (
        block(80, steps=steps)
        == r"""
      rank 0 (你, ␣)   你 ␣    →  你␣     x
      rank 1 (a, b)    a \x1b  →  a\x1b   y
"""
    )
    assert r"rank 0 (\u4f60, _)" in block(80, "ascii", steps)


def test_a_step_of_any_length_is_cut() -> None:
    """One endless symbol does not fill the screen."""
    text = block(60, steps=(("rank 0 (a, a)", "a" * 10_000 + " → " + "b" * 10_000, "c" * 10_000),))
    assert len(text.splitlines()) < 25


def test_two_mistakes_are_both_named() -> None:
    """Where no input tells two mistakes apart, both titles stand out and it is said."""
    both = replace(
        DIAGNOSIS,
        id="leftmost_first longest_first",
        text="Look for the lowest rank.\n\nOr: You merge the longest pair.\nLength has\nno say.",
    )
    text = text_of(ReportView(make_report(Outcome.WRONG, diagnosis=both)))
    assert screen("""
        You merge the leftmost pair you know.
        Look for the lowest rank.
        Or: You merge the longest pair.
        Length has no say.
        Your answers are those of both mistakes on 38 of 38 inputs; none of these
        tells the two apart.
        """) == dedent(text[text.index("    You merge") :])


# --- values ----------------------------------------------------------------------------


@given(st.text("ab", max_size=400), st.text("ab", max_size=400), st.integers(20, 120))
def test_the_first_difference_is_always_visible(one: str, other: str, width: int) -> None:
    """However long two values are, both show where they part, in the same column."""
    yours, expected = repr(list(one)), repr(list(other))
    seen = compared(yours, expected, width, "…")
    assert max(cell_len(seen.yours), cell_len(seen.expected)) <= width
    if yours == expected:
        assert seen.column is None
    else:
        assert seen.column is not None
        assert seen.column < width
        assert seen.yours[: seen.column] == seen.expected[: seen.column]
        assert seen.yours[seen.column :] != seen.expected[seen.column :]


def test_a_difference_is_marked_where_its_token_begins() -> None:
    """Not in the middle of a short symbol, but inside a long string."""
    assert first_difference("['tea', 'tex']", "['tea', 'ten']") == 8
    assert first_difference("[112]", "[113]") == 1
    assert first_difference(repr("a" * 40 + "b"), repr("a" * 40 + "c")) == 41
    assert first_difference("[1]", "[1]") is None


def test_order_that_does_not_count_is_not_a_difference() -> None:
    """Dicts are laid side by side key by key, sets are sorted, at any depth."""
    yours, expected = aligned("({'b': 1, 'a': 2, 'x': 3}, {3, 1})", "({'a': 2, 'b': 1}, {1, 3})")
    assert yours == "({'a': 2, 'b': 1, 'x': 3}, {1, 3})"
    assert expected == "({'a': 2, 'b': 1}, {1, 3})"
    assert aligned("{oops", "{1: 2}") == ("{oops", "{1: 2}")


PLAIN = st.recursive(
    st.one_of(st.integers(0, 99), st.text("ab'\", ([", max_size=6), st.binary(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.tuples(inner, inner)),
    max_leaves=30,
)


@given(PLAIN, st.integers(20, 80))
def test_a_folded_call_is_the_same_call(value: object, width: int) -> None:
    """Folding breaks only where Python reads on, so the call can be pasted."""
    lines = folded(f"f({value!r}, [])", width)
    assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(f"f({value!r}, [])"))


def test_a_call_folds_between_its_parts() -> None:
    """A pair that fits on a line is not torn apart."""
    pairs = [("ab", "cd")] * 5
    assert folded(f"f('w', {pairs!r})", 40) == [
        "f('w', [('ab', 'cd'), ('ab', 'cd'),",
        "    ('ab', 'cd'), ('ab', 'cd'),",
        "    ('ab', 'cd')])",
    ]


def test_a_call_that_fills_the_screen_is_cut_and_says_so() -> None:
    """One screen stays one screen; the data format has the rest."""
    text = text_of(found(call=f"encode_bpe({'a' * 100_000!r}, [])"))
    assert len(text.splitlines()) < 24
    assert "(cut from 100,018 characters; --format json has all of it)" in text


# --- words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.00042, "0.42 ms"),
        (0.098, "98 ms"),
        (0.412, "412 ms"),
        (0.99949, "999 ms"),
        (1.0, "1.0 s"),
        (1.34, "1.3 s"),
        (42.4, "42 s"),
        (120, "2 min"),
        (185, "3 min 5 s"),
    ],
)
def test_durations(seconds: float, told: str) -> None:
    """Two or three figures, in the unit people would say."""
    assert words.duration(seconds) == told


@pytest.mark.parametrize(
    ("value", "spread", "told"),
    [(4.2, 0.02, "4.2× ± 2 %"), (1.0234, None, "1.02×"), (15_234.6, 0.5, "15,235× ± 50 %")],
)
def test_ratios(value: float, spread: float | None, told: str) -> None:
    """The ratio and how far it may be trusted."""
    assert words.ratio(value, spread, UNICODE) == told
    assert words.ratio(value, spread, ASCII).isascii()


# --- catalogue -------------------------------------------------------------------------


def test_the_list_shows_each_state() -> None:
    """One line a kata, in 60 columns too."""
    states = ["passed", "WRONG", "unwritten", "changed", "new", "missing"]
    katas = [make_kata(f"kata_{n}") for n in range(6)]
    view = ListView(katas, {kata.name: state for kata, state in zip(katas, states, strict=True)})
    assert text_of(view, 60).splitlines() == [
        "  ✓ kata_0            interview   20 min   passed",
        "  ✗ kata_1            interview   20 min   WRONG last time",
        "  · kata_2            interview   20 min   not written yet",
        "  · kata_3            interview   20 min   changed, not run",
        "  · kata_4            interview   20 min   not run yet",
        "  · kata_5            interview   20 min   no file",
    ]


def test_a_statement_is_wrapped_but_its_examples_are_not() -> None:
    """In a narrow terminal prose is filled again; doctests stay as they are."""
    text = text_of(StatementView(make_kata(), "katas/encode_bpe.py"), 60)
    assert text == screen("""
        encode_bpe · interview · 20 min
        Encode a word

          def encode_bpe(
              word: str,
              merges: list[tuple[str, str]],
          ) -> list[str]:

          Split a word into symbols.

          Start from the characters and apply the merge of the
          lowest rank until none is left.

          - An unknown character stays single.
          - An empty word gives an empty list, whatever is in the
            table of merges that comes with it.

          >>> encode_bpe("east", [("e", "a")])
          ['ea', 's', 't']

          Write it in katas/encode_bpe.py.
        """)


# --- data ------------------------------------------------------------------------------

ALL_REPORTS = [
    make_report(timing=TIMING),
    make_report(timing=TIMING_WITH_SIDES),
    make_report(Outcome.WRONG, diagnosis=DIAGNOSIS),
    make_report(Outcome.UNWRITTEN, verdicts=(), isolation=NOT_USED),
    make_report(Outcome.RAISED, verdicts=(), message="katas/x.py is a symbolic link."),
    make_report(Outcome.RAISED, verdicts=(), problem=replace(FOUND, line=3, line_text="x = (")),
    make_report(Outcome.BROKEN, message="ours"),
    found(steps=STEPS).report,
]


def test_every_report_fits_the_schema() -> None:
    """The schema that ships describes what is written."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = report_json.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(report_json.to_dict(ALL_REPORTS), schema)


def test_the_schema_declares_every_key() -> None:
    """Nothing is written that the schema does not name, down to the last key."""
    schema = report_json.schema()

    def closed(part: Any) -> Any:
        if isinstance(part, dict):
            made = {key: closed(value) for key, value in part.items()}
            return made if "properties" not in part else {"additionalProperties": False, **made}
        return [closed(item) for item in part] if isinstance(part, list) else part

    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(report_json.to_dict(ALL_REPORTS), closed(schema))


def test_a_timing_is_revived_whole() -> None:
    """What a report's data says of the sides is what was measured."""
    report = make_report(timing=TIMING_WITH_SIDES)
    data = json.loads(report_json.dumps(report_json.report_dict(report)))
    assert revive.report(report.kata, data).timing == TIMING_WITH_SIDES


def test_growth_is_told_as_a_power_of_n() -> None:
    """With what it grows in, or with why there is no power; and how to measure longer."""
    text = " ".join(text_of(ReportView(make_report(timing=TIMING_WITH_SIDES))).split())
    assert "a naive version 17.3×" in text
    assert "grows n^1.02 ± 0.03 with the words in the table, 500 to 4,000" in text
    assert "only 1 size in the time (20 took 1.5 s), four are needed" in text
    assert "at most 3 s are spent on this; `kata bench encode_bpe` takes longer" in text


def test_steps_are_rows_of_three_strings() -> None:
    """The explanation of a case is in its counterexample, row by row."""
    steps = (("…", "", ""), ("rank 0", "\ud800", "here"))
    data = report_json.report_dict(found(steps=steps).report)
    (shown,) = [case["counterexample"] for case in data["cases"] if "counterexample" in case]
    assert shown["steps"] == [["…", "", ""], ["rank 0", "\\ud800", "here"]]


def test_passed_means_all_of_them() -> None:
    """One kata that did not pass is enough."""
    assert report_json.to_dict([make_report()])["passed"] is True
    assert report_json.to_dict(ALL_REPORTS)["passed"] is False


def test_verdicts_are_what_two_runs_share() -> None:
    """Times, ratios and memory are gone; the rest is equal byte for byte."""
    slow = make_report(
        timing=replace(TIMING, ratio=9.0),
        seconds=7.0,
        verdicts=tuple(replace(v, seconds=1.0) for v in passing()),
    )
    one, other = (report_json.to_dict([r]) for r in (make_report(timing=TIMING), slow))
    assert report_json.dumps(one) != report_json.dumps(other)
    kept = report_json.verdicts(one)
    assert report_json.dumps(kept) == report_json.dumps(report_json.verdicts(other))
    assert set(one["reports"][0]) - set(kept["reports"][0]) == {"timing", "measured"}


def test_data_is_ascii_and_has_no_lone_surrogate() -> None:
    """Whatever a student printed, any reader of JSON and any terminal can take it."""
    prints = "\udc80\x1b[31m\u202e é"
    text = report_json.dumps(report_json.to_dict([found(prints=prints).report]))
    assert text.isascii()
    assert not re.search(r"(?<!\\)\\ud", text)
    assert "\x1b" not in text
