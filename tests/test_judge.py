"""Judging from end to end: every kind of submission gets the outcome it must get."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from grader import catalog
from grader.errors import GraderFault, UsageError
from grader.findings import overall
from grader.judge import Options, judge
from grader.model import Kata, Limits, Outcome, Report, Tier, Verdict
from grader.sandbox.host import hash_seed

RIGHT = """
def merge_pair(symbols, pair):
    out = []
    for symbol in symbols:
        if out and (out[-1], symbol) == pair and not fresh:
            out[-1] += symbol
            fresh = True
        else:
            out.append(symbol)
            fresh = False
    return tuple(out)
"""


@pytest.fixture(scope="module")
def kata() -> Kata:
    return catalog.find("merge_pair")


def grade(kata: Kata, folder: Path, source: str | bytes, **options: object) -> Report:
    path = folder / f"{kata.name}.py"
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    return judge(kata, path, Options(seed=7, timing=False, **options))  # type: ignore[arg-type]


def test_a_right_solution_passes(kata: Kata, tmp_path: Path) -> None:
    """A solution built unlike the reference passes every case."""
    report = grade(kata, tmp_path, RIGHT)
    assert report.outcome is Outcome.PASS
    assert {v.outcome for v in report.verdicts} == {Outcome.PASS}
    assert report.isolation.level == "full"


@pytest.mark.parametrize(
    "edit",
    [
        lambda stub: stub,
        lambda stub: stub.replace("\n", "\r\n"),
        lambda stub: "\ufeff" + stub,
        lambda stub: stub + "\nmine = 1\n",
    ],
)
def test_a_stub_is_unwritten(kata: Kata, tmp_path: Path, edit: object) -> None:
    """The pristine stub, whatever its line ends, and a stub that was only touched."""
    assert grade(kata, tmp_path, edit(kata.stub)).outcome is Outcome.UNWRITTEN  # type: ignore[operator]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x00\x01", "NUL"),
        (b"def merge_pair(): pass\n# \xff", "not UTF-8 (line 2)"),
        (b"#" * 300_000, "larger than 256 KiB"),
    ],
)
def test_a_file_that_is_no_source_is_refused(
    kata: Kata, tmp_path: Path, content: bytes, said: str
) -> None:
    """Binary, badly encoded and oversized files get one sentence and no child."""
    report = grade(kata, tmp_path, content)
    assert report.outcome is Outcome.RAISED
    assert said in (report.message or "")
    assert "\n" not in (report.message or "")


def test_a_symbolic_link_and_a_pipe_are_refused(kata: Kata, tmp_path: Path) -> None:
    """Only a regular file is read, and nothing is waited for."""
    target = tmp_path / "other.py"
    target.write_text(RIGHT)
    link, pipe = tmp_path / "merge_pair.py", tmp_path / "pipe.py"
    link.symlink_to(target)
    os.mkfifo(pipe)
    assert "symbolic link" in (judge(kata, link, Options(seed=7)).message or "")
    assert "not a regular file" in (judge(kata, pipe, Options(seed=7)).message or "")


def test_a_missing_file_is_a_usage_error(kata: Kata, tmp_path: Path) -> None:
    """What does not exist cannot be judged."""
    with pytest.raises(UsageError, match="There is no file"):
        judge(kata, tmp_path / "nothing.py")


@pytest.mark.parametrize(
    ("source", "note", "line"),
    [
        ("def merge_pair(symbols, pair)\n    pass", "SyntaxError: expected ':'", 1),
        ("import numpy", "ModuleNotFoundError: 'numpy' cannot be imported here", 1),
        ("def merge(symbols, pair): pass", "defines no function 'merge_pair'", None),
        ("merge_pair = 3", "is of type int, not a function", None),
    ],
)
def test_a_module_that_does_not_load_is_raised(
    kata: Kata, tmp_path: Path, source: str, note: str, line: int | None
) -> None:
    """The problem names the line of the student's file; no case is run."""
    report = grade(kata, tmp_path, source)
    assert (report.outcome, report.verdicts) == (Outcome.RAISED, ())
    assert report.problem is not None
    assert note in (report.problem.note or "")
    assert report.problem.line == line


def test_a_wrong_answer_shows_a_small_call(kata: Kata, tmp_path: Path) -> None:
    """The counterexample is a call that can be pasted, with yours, expected and prints."""
    source = "def merge_pair(symbols, pair):\n    print('seen')\n    return symbols"
    report = grade(kata, tmp_path, source)
    assert report.outcome is Outcome.WRONG
    shown = next(v.counterexample for v in report.verdicts if v.counterexample)
    assert shown.call.startswith("merge_pair((")
    assert shown.yours != shown.expected
    assert shown.prints == "seen\n"


def test_a_wrong_type_names_both_types(kata: Kata, tmp_path: Path) -> None:
    """A list where a tuple is due says which came and which was due."""
    report = grade(kata, tmp_path, RIGHT.replace("tuple(out)", "out"))
    shown = next(v.counterexample for v in report.verdicts if v.counterexample)
    assert shown.note == "the value you return must be tuple[str, ...], not list"


def test_a_changed_argument_is_wrong(tmp_path: Path) -> None:
    """A right answer with a spoiled argument is not right."""
    source = """
def pair_counts(words):
    counts = {}
    for word, n in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + n
    words.clear()
    return counts
"""
    report = grade(catalog.find("pair_counts"), tmp_path, source)
    assert report.outcome is Outcome.WRONG
    shown = next(v.counterexample for v in report.verdicts if v.counterexample)
    assert shown.note == "you changed the argument `words`"


def test_an_endless_loop_keeps_the_results_so_far(kata: Kata, tmp_path: Path) -> None:
    """Cases before the loop keep their verdicts; those after it are not run."""
    quick = replace(kata, limits=Limits(call_s=0.5, kata_s=30))
    source = RIGHT.replace("    out = []", "    while symbols == (): pass\n    out = []")
    report = grade(quick, tmp_path, source)
    outcomes = [v.outcome for v in report.verdicts]
    stuck = outcomes.index(Outcome.TIMEOUT)
    assert report.outcome is Outcome.TIMEOUT
    assert stuck > 0
    assert set(outcomes[:stuck]) == {Outcome.PASS}
    assert set(outcomes[stuck + 1 :]) <= {None}
    shown = report.verdicts[stuck].counterexample
    assert shown is not None
    assert shown.call.startswith("merge_pair(()")


def test_an_answer_that_changes_by_itself_is_wrong(kata: Kata, tmp_path: Path) -> None:
    """A solution with a random answer is WRONG, never BROKEN."""
    flip = "import random\n" + RIGHT.replace(
        "return tuple(out)", "return tuple(out) if random.random() < 0.9 else ()"
    )
    assert grade(kata, tmp_path, flip).outcome is Outcome.WRONG


def test_the_same_seed_gives_the_same_verdicts(kata: Kata, tmp_path: Path) -> None:
    """Outcomes and counterexamples repeat, times aside."""
    source = "def merge_pair(symbols, pair):\n    return symbols[:3]"
    first, second = (grade(kata, tmp_path, source) for _ in range(2))
    assert [replace(v, seconds=0.0) for v in first.verdicts] == [
        replace(v, seconds=0.0) for v in second.verdicts
    ]


def test_a_fault_of_the_suite_is_ours(kata: Kata, tmp_path: Path) -> None:
    """An error in a suite is BROKEN with its traceback, and never counts as the student's."""
    folder = tmp_path / "hidden"
    folder.mkdir()
    suite = folder / "test_merge_pair.py"
    suite.write_text("def test_it(solution):\n    1 / 0\n")
    report = grade(replace(kata, suite=suite), tmp_path, RIGHT)
    assert report.outcome is Outcome.BROKEN
    assert "ZeroDivisionError" in (report.message or "")
    other = tmp_path / "other" / "hidden" / suite.name
    other.parent.mkdir(parents=True)
    other.write_text("import nothing_of_that_name\n")
    with pytest.raises(GraderFault):
        grade(replace(kata, suite=other), tmp_path, RIGHT)


def test_no_configuration_of_the_folder_is_read(
    kata: Kata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conftest, an ini file or options in the environment change nothing."""
    (tmp_path / "conftest.py").write_text("raise RuntimeError")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    monkeypatch.setenv("PYTEST_PLUGINS", "nothing_of_that_name")
    assert grade(kata, tmp_path, RIGHT).outcome is Outcome.PASS


def test_stretch_cases_do_not_count(kata: Kata) -> None:
    """The outcome is that of the first failing case that counts; what was not run is no pass."""

    def verdict(outcome: Outcome | None, tier: Tier = Tier.LAW) -> Verdict:
        return Verdict("x", "x", tier, outcome, 1)

    good, bad, none = verdict(Outcome.PASS), verdict(Outcome.WRONG), verdict(None)
    stretch = verdict(Outcome.WRONG, Tier.STRETCH)
    assert overall([good, stretch]) is Outcome.PASS
    assert overall([good, bad, verdict(Outcome.CRASH)]) is Outcome.WRONG
    assert overall([good, none]) is Outcome.TIMEOUT
    assert overall([]) is Outcome.TIMEOUT
    assert overall([bad, verdict(Outcome.BROKEN)]) is Outcome.BROKEN


def test_hash_seeds_differ_and_never_switch_hashing_off() -> None:
    """The two children of a run hash differently."""
    seeds = {hash_seed(seed, number) for seed in range(50) for number in (0, 1)}
    assert len(seeds) == 100
    assert 0 not in seeds
