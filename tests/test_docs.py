"""The pages say what the code does: the tutorial is played, the commands' pages are made."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import cli, manual
from tests import tutorial

ROOT = Path(__file__).resolve().parent.parent

if not tutorial.PAGE.is_file():
    pytest.skip("not a checkout", allow_module_level=True)


def test_the_tutorial_is_true() -> None:
    """Every command prints what the page shows, but for times; `python -m tests.tutorial` mends."""
    text = tutorial.PAGE.read_text(encoding="utf-8")
    assert tutorial.settled(tutorial.play(text)) == tutorial.settled(text)


def test_every_command_has_its_page() -> None:
    """`kata dev docs` writes them."""
    folder = ROOT / "docs" / "commands"
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    made = manual.pages(cli.kata)
    assert sorted(written) == sorted(made), "run `kata dev docs`"
    assert [name for name in made if written[name] != made[name]] == [], "run `kata dev docs`"
