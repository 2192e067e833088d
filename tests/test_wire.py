"""The wire: what is encoded comes back, and what is hostile is refused."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox import wire

texts = st.text(max_size=5)
VALUES = {
    "str": st.text(),
    "int": st.integers(),
    "bytes": st.binary(),
    "list[str]": st.lists(texts),
    "tuple[str, ...]": st.lists(texts).map(tuple),
    "list[tuple[str, str]]": st.lists(st.tuples(texts, texts)),
    "set[int]": st.sets(st.integers(-(2**59), 2**59)),
    "list[list[str]]": st.lists(st.lists(texts, max_size=3), max_size=4),
    "dict[str, int]": st.dictionaries(texts, st.integers()),
    "dict[tuple[str, ...], int]": st.dictionaries(
        st.lists(texts, max_size=3).map(tuple), st.integers()
    ),
    "dict[tuple[str, str], set[int]]": st.dictionaries(
        st.tuples(texts, texts), st.sets(st.integers(0, 99))
    ),
    "tuple[dict[int, bytes], list[tuple[bytes, bytes]]]": st.tuples(
        st.dictionaries(st.integers(0, 2**40), st.binary(max_size=4)),
        st.lists(st.tuples(st.binary(max_size=3), st.binary(max_size=3))),
    ),
}


@pytest.mark.parametrize("annotation", VALUES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_value_survives_the_trip(annotation: str, data: st.DataObject) -> None:
    """Encode, frame, unframe and decode give back an equal value of the same types."""
    codec = wire.codec(annotation)
    value = data.draw(VALUES[annotation])
    frame = wire.pack([codec.encode(value)])
    (wired,) = wire.unpack(frame[wire.HEADER :])
    back = codec.decode(wired)
    assert back == value
    assert codec.encode(back) == codec.encode(value)  # which checks every type exactly


@pytest.mark.parametrize(
    ("annotation", "value", "where", "got"),
    [
        ("list[str]", ("a",), "", "tuple"),
        ("list[str]", ["a", b"b"], "[1]", "bytes"),
        ("list[tuple[str, str]]", [("a", "b"), ["a", "b"]], "[1]", "list"),
        ("list[tuple[str, str]]", [("a", "b", "c")], "[0]", "a tuple of 3"),
        ("dict[str, int]", {"a": True}, "{a value}", "bool"),
        ("dict[str, int]", {"a": 1.0}, "{a value}", "float"),
        ("dict[str, int]", [("a", 1)], "", "list"),
        ("int", True, "", "bool"),
        ("set[int]", frozenset([1]), "", "frozenset"),
        ("str", type("Name", (str,), {})("x"), "", "Name"),
        ("tuple[str, ...]", None, "", "NoneType"),
    ],
)
def test_only_the_exact_type_is_encoded(
    annotation: str, value: object, where: str, got: str
) -> None:
    """A value of another type is named with its place, what was due and what came."""
    with pytest.raises(wire.WrongType) as caught:
        wire.codec(annotation).encode(value)
    assert (caught.value.where, caught.value.got) == (where, got)


def test_a_dict_subclass_is_welcome() -> None:
    """The contract allows Counter and defaultdict where a dict is due."""
    from collections import Counter, defaultdict

    codec = wire.codec("dict[str, int]")
    assert codec.encode(Counter("aab")) == codec.encode(defaultdict(int, a=2, b=1))


HOSTILE_FRAMES = [
    b"",
    b"null",
    b"{}",
    b'[{"a": 1}]',
    b"[1.5]",
    b"[NaN]",
    b"[Infinity]",
    b"[-Infinity]",
    b"[1e999]",
    b"[" * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b"[" + b"9" * 100_000 + b"]",
    b'["\xff"]',
    b'["\xc3\xa9"]',
    b'["unclosed',
    b"[1,]",
    b"[1] [2]",
    b"\x80\x04K\x01.",
    b"\x00" * 64,
]


@pytest.mark.parametrize("body", HOSTILE_FRAMES, ids=lambda body: repr(body[:12]))
def test_a_hostile_frame_is_refused(body: bytes) -> None:
    """Whatever is not a plain array of the few agreed kinds raises WireError, nothing else."""
    with pytest.raises(wire.WireError):
        wire.unpack(body)


HOSTILE_VALUES = [
    ("int", True),
    ("int", "1"),
    ("int", None),
    ("str", 1),
    ("bytes", "\u0100"),
    ("bytes", [1]),
    ("list[str]", "ab"),
    ("list[str]", [["a"]]),
    ("tuple[str, str]", ["a"]),
    ("tuple[str, str]", ["a", "b", "c"]),
    ("set[int]", [1, 1]),
    ("set[int]", [2**61 - 1]),
    ("set[int]", [True]),
    ("dict[str, int]", [["a"], [1, 2]]),
    ("dict[str, int]", [["a", "a"], [1, 2]]),
    ("dict[str, int]", [["a"]]),
    ("dict[int, bytes]", [[2**70], ["a"]]),
    ("dict[str, int]", {}),
]


@pytest.mark.parametrize(("annotation", "wired"), HOSTILE_VALUES)
def test_a_hostile_value_is_refused(annotation: str, wired: object) -> None:
    """What does not have the declared shape raises WireError."""
    with pytest.raises(wire.WireError):
        wire.codec(annotation).decode(wired)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("annotation", VALUES)
@settings(max_examples=40, deadline=None)
@given(wired=junk)
def test_junk_decodes_to_the_declared_type_or_is_refused(annotation: str, wired: object) -> None:
    """No array makes a decoder build anything but its own type, or fail otherwise."""
    codec = wire.codec(annotation)
    try:
        value = codec.decode(wired)
    except wire.WireError:
        return
    assert codec.decode(codec.encode(value)) == value  # `encode` takes exact types only


@settings(max_examples=200, deadline=None)
@given(body=st.binary(max_size=60) | junk.map(lambda value: json.dumps(value).encode()))
def test_unpack_gives_an_array_or_refuses(body: bytes) -> None:
    """`unpack` has two outcomes, whatever the bytes."""
    with contextlib.suppress(wire.WireError):
        assert type(wire.unpack(body)) is list


def test_crafted_integers_do_not_slow_a_set_down() -> None:
    """Numbers that hash alike cannot enter a set: they are refused, not hashed."""
    collide = [i * (2**61 - 1) for i in range(1, 2000)]
    with pytest.raises(wire.WireError):
        wire.codec("set[int]").decode(collide)
