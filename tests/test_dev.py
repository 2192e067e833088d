"""`kata dev`: a kata is proved sound, a new one is five files, and a weak suite is found out."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader import catalog, devcheck, skeleton, strength
from grader.errors import UsageError
from grader.mutants import mutants


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one kata in it."""
    real = catalog.places()
    for folder in ("katas", "reference/mistakes", "tests/hidden"):
        (tmp_path / folder).mkdir(parents=True)
    kata = catalog.find("merge_pair")
    for path in (kata.reference, kata.reference.with_suffix(".toml")):
        shutil.copy(path, tmp_path / "reference")
    shutil.copy(kata.mistakes, tmp_path / "reference" / "mistakes")
    shutil.copy(kata.suite, tmp_path / "tests" / "hidden")
    shutil.copy(real.suites / "strategies.py", tmp_path / "tests")
    (tmp_path / "katas" / "merge_pair.py").write_text(kata.stub)
    places = catalog.Places(tmp_path / "reference", tmp_path / "tests", tmp_path)
    monkeypatch.setattr(catalog, "places", lambda: places)
    for cached in (catalog.all_katas, catalog.names):
        cached.cache_clear()
        monkeypatch.setattr(catalog, cached.__name__, cached.__wrapped__)
    return tmp_path


def test_a_new_kata_is_five_files_and_sound(checkout: Path) -> None:
    """The skeleton passes every check before anything was filled in."""
    written = skeleton.create("count_symbols")
    assert len(written) == 5
    assert [path for path in checkout.rglob("*count_symbols*") if path.is_file()]
    problems = [check for check in devcheck.check(catalog.find("count_symbols")) if check.problem]
    assert problems == []


def test_nothing_is_overwritten(checkout: Path) -> None:
    """A name that is taken, or no name at all, is refused with a sentence."""
    for name in ("merge_pair", "class", "not a name", "../up", "Upper"):
        with pytest.raises(UsageError):
            skeleton.create(name)
    assert catalog.names() == ("merge_pair",)


def test_an_edited_stub_is_noticed(checkout: Path) -> None:
    """`dev check` says when `katas/` is not what the reference makes of it."""
    (checkout / "katas" / "merge_pair.py").write_text("def merge_pair(symbols, pair): ...\n")
    first = next(devcheck.check(catalog.find("merge_pair")))
    assert first.problem is not None
    assert "merge_pair.py" in first.problem


def test_an_undeclared_outcome_is_noticed(checkout: Path) -> None:
    """A mistake that passes although it must fail is a problem of the kata."""
    path = checkout / "reference" / "mistakes" / "merge_pair.py"
    reference = (checkout / "reference" / "merge_pair.py").read_text()
    body = reference.partition('"""')[2].partition('"""')[2]
    path.write_text(
        body.replace("def merge_pair(", "def fine(", 1)
        .replace('"""Replace', '"""You are right.\n\n    Replace', 1)
        .replace('\n    """\n', '\n    Outcome: WRONG\n    """\n', 1)
    )
    last = list(devcheck.check(catalog.find("merge_pair")))[-1]
    assert last.problem == "PASS with seed 0, due WRONG"


def test_a_weak_suite_lets_mutants_live(checkout: Path) -> None:
    """A suite that checks nothing kills no mutant that returns; the real one kills them."""
    kata = catalog.find("merge_pair")
    strong = [found.killer for found in strength.mutated(kata)]
    assert all(strong)
    empty = checkout / "weak" / "hidden" / "test_merge_pair.py"
    empty.parent.mkdir(parents=True)
    empty.write_text("def test_it(solution):\n    solution.merge_pair(('a', 'b'), ('a', 'b'))\n")
    alive = [found.killer for found in strength.mutated(replace(kata, suite=empty))]
    assert None in alive


def test_mutants_change_code_and_nothing_else() -> None:
    """Every mutant compiles, differs, and leaves docstrings, imports and annotations alone."""
    source = (
        "import os\n"
        "def f(x: int = 1) -> int:\n"
        '    """Add 1 + 1."""\n'
        "    total = 0\n"
        "    for i in range(3):\n"
        "        if i < x and x != 2:\n"
        "            total += i\n"
        "            continue\n"
        "    return max(total, -x)\n"
    )
    found = list(mutants(source))
    assert len(found) >= 12
    assert len({mutant.change for mutant in found}) == len(found)
    for mutant in found:
        compile(mutant.source, "mutant", "exec")
        assert "import os" in mutant.source
        assert '"""Add 1 + 1."""' in mutant.source
        assert "x: int=1" in mutant.source
