"""`kata dev new`: the five files of a kata, ready to be filled in."""

from __future__ import annotations

import keyword
from pathlib import Path

from grader import catalog
from grader.errors import UsageError

REFERENCE = '''"""One or two lines: how this solution goes about it."""


def {name}(word: str) -> str:
    """Say in one line what the function does.

    Then the whole statement: what goes in, what comes out, and every ruling a hidden test
    relies on. A learner reads nothing else.

    >>> {name}("ab")
    'ab'
    """
    return word
'''

CARD = """title = "A title"
level = "core"
order = {order}
minutes = 10
policy = "pure"
examples = 15

hints = [
  "A nudge.",
  "The idea.",
  "Nearly the code.",
]

[[follow_ups]]
id = "longer"
ask = "What an interviewer asks next."
points = ["What a good answer says."]
"""

MISTAKES = '''"""Known wrong solutions of `{name}`, each written the way people write it."""


def returns_nothing(word):
    """You return nothing.

    A function without `return` gives None.
    Outcome: WRONG
    """
'''

SUITE = '''"""The suite of `{name}`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.expect import same


@pytest.mark.example
def test_examples(solution):
    """The example of the statement."""
    same(solution.{name}("ab"), "ab")


@given(word=st.text("ab", max_size=6))
def test_nothing_is_lost(solution, reference, word):
    """Say the law in one sentence."""
    same(solution.{name}(word), reference.{name}(word))
'''


def create(name: str) -> list[Path]:
    """Write the skeletons of a kata into this checkout; the paths written.

    Raises `UsageError` outside a checkout, for a name that is none, or when a file exists.
    """
    root = catalog.places().checkout
    if root is None:
        raise UsageError("A kata is added to a checkout of bpe-kata; clone it first.")
    if not name.isidentifier() or keyword.iskeyword(name) or not name.islower():
        raise UsageError(f"{name!r} is no name for a function; use lower_case_words.")
    order = len(catalog.all_katas()) + 1
    texts = {
        root / "reference" / f"{name}.py": REFERENCE,
        root / "reference" / f"{name}.toml": CARD,
        root / "reference" / "mistakes" / f"{name}.py": MISTAKES,
        root / "tests" / "hidden" / f"test_{name}.py": SUITE,
        root / "katas" / f"{name}.py": "",
    }
    for path in texts:
        if path.exists():
            raise UsageError(f"{path} exists already; choose another name or remove it.")
    for path, text in texts.items():
        path.write_text(text.format(name=name, order=order), encoding="utf-8")
    stub = root / "katas" / f"{name}.py"
    stub.write_text(catalog.find(name).stub, encoding="utf-8")
    return list(texts)
