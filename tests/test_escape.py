"""Untrusted text: one table of what it may hold and how that is shown."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.render.escape import encodable, readable, visible, visible_lines

TABLE = [
    # plain text stays as it is
    ("tea", "tea"),
    ("你好 é ß Ġthe ␣", "你好 é ß Ġthe ␣"),
    ("[bold]not markup[/bold] :smile:", "[bold]not markup[/bold] :smile:"),
    ("a[::2] b::c", "a[::2] b::c"),
    ("e\u0301 n\u0303o", "e\u0301 n\u0303o"),
    # control characters and terminal escapes
    ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
    ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
    ("a\rb\nc\td\x00\x7f\x9b", r"a\rb\nc\td\x00\x7f\x9b"),
    # what reorders, joins or hides
    ("\u202eevil\u2066\u2069\u200f", r"\u202eevil\u2066\u2069\u200f"),
    ("a\u200bb\u200dc\ufeffd\u00ade", r"a\u200bb\u200dc\ufeffd\xade"),
    ("a\u00a0b\u2003c\u2028d", r"a\xa0b\u2003c\u2028d"),
    ("\u3164\u115f\u2800\ufe0f", r"\u3164\u115f\u2800\ufe0f"),
    ("\U000e0041\U000e0100", r"\U000e0041\U000e0100"),
    # marks without a letter, and more of them than a letter has
    ("\u0301a", r"\u0301a"),
    (" \u0301", r" \u0301"),
    ("e" + "\u0301" * 4, "e\u0301\u0301" + r"\u0301\u0301"),
    # nothing that cannot be encoded, nothing unassigned or private
    ("\udc80\ud800", r"\udc80\ud800"),
    ("\ue000\uffff\U0010ffff", r"\ue000\uffff\U0010ffff"),
    # commands to the runners of CI services
    ("::error file=x::", r"\x3a:error file=x::"),
    ("  ::set-output name=a::b", r"  \x3a:set-output name=a::b"),
    ("see ::warning:: there", r"see \x3a:warning:: there"),
    ("x ##[group]y ##vso[task] ##teamcity[z]", r"x \x23#[group]y \x23#vso[task] \x23#teamcity[z]"),
    ("## a heading", "## a heading"),
]


@pytest.mark.parametrize(("text", "shown"), TABLE)
def test_each_kind_of_text_is_shown_as_the_table_says(text: str, shown: str) -> None:
    """What could hide, move or command is written as an escape."""
    assert visible(text) == shown


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    """Whatever goes in, what comes out is printable and can be encoded."""
    shown = visible(text)
    assert shown.isprintable()
    shown.encode("utf-8")


@given(st.text())
def test_ascii_only_is_ascii(text: str) -> None:
    """On a terminal without UTF-8, everything is ASCII, prose and values alike."""
    assert visible(text, ascii_only=True).isascii()
    assert readable(text, ascii_only=True).isascii()


@given(st.one_of(st.text(), st.binary(), st.lists(st.text())), st.booleans())
def test_a_shown_literal_is_the_same_literal(value: object, ascii_only: bool) -> None:
    """A value that is shown can be pasted and is still that value."""
    assert ast.literal_eval(visible(repr(value), ascii_only=ascii_only)) == value


def test_prose_has_ascii_stand_ins() -> None:
    """Typography of our sentences is replaced, not escaped."""
    assert readable("a … b – c × d → “e”", ascii_only=True) == 'a ... b - c x d -> "e"'


def test_prints_keep_their_lines() -> None:
    """Line ends divide, tabs align, a lone carriage return is shown."""
    assert visible_lines("a\tb\r\nc\rd\n\n::e\n") == ["a   b", r"c\rd", "", r"\x3a:e"]
    assert visible_lines("") == []


@given(st.text())
def test_what_is_written_can_be_encoded(text: str) -> None:
    """Text for a file has no lone surrogate, and is unchanged where it had none."""
    encodable(text).encode("utf-8")
    if text.isprintable():
        assert encodable(text) == text
