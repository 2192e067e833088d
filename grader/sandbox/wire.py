"""Plain builtins <-> one frame, directed by a kata's declared types; both sides use it.

A frame is four bytes of length and a JSON array. Values travel by their declared type
(a dict as two columns, bytes as Latin-1 text), so nothing in a frame says what to build:
that is why a hostile frame can at worst be refused. Never pickle, dill or marshal.

Standard library only, no imports of ours: the child loads this file by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

HEADER = 4
#: Bound of integers that go into a set or are keys of a dict: below it a hash is the
#: number itself, so nobody can build a set that takes quadratic time.
KEY_BOUND = 1 << 60


class WireError(Exception):
    """A frame or a value inside it is not what was agreed."""


class WrongType(Exception):
    """A value to encode is not exactly of its declared type."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected, self.got, self.where = expected, got, ""

    def inside(self, step: str) -> WrongType:
        self.where = step + self.where
        return self


def pack(message: list[Any]) -> bytes:
    """One frame. ASCII only, so that no reader has to trust an encoding."""
    data = _encode(message).encode("ascii")
    return len(data).to_bytes(HEADER, "big") + data


def unpack(body: bytes) -> list[Any]:
    """The array of one frame (without its header).

    Raises `WireError` for anything else: no floats, no objects, no NaN, no array deeper
    than the parser's own bound, no integer of more digits than Python's own bound.
    """
    try:
        message = _decode(body.decode("ascii"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise WireError(f"not a frame: {type(error).__name__}") from None
    if type(message) is not list:
        raise WireError("not an array")
    return message


def _refuse(value: object) -> Any:
    raise ValueError("refused")


# Made once: a call costs two of each.
_encode = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":")).encode
_decode = json.JSONDecoder(
    parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_refuse
).decode


@dataclass(frozen=True, slots=True)
class Codec:
    """One declared type: `encode` checks exact types, `decode` checks everything.

    Nothing can change a `frozen` value; a `flat` one is a list or dict of frozen values.
    """

    name: str
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    frozen: bool = False
    flat: bool = False


@cache
def codec(annotation: str) -> Codec:
    """The codec of a type as a signature writes it, like `dict[tuple[str, str], int]`."""
    built, rest = _parse(annotation.replace(" ", ""))
    if rest:
        raise ValueError(f"cannot read the type {annotation!r}")
    return built


def _parse(text: str) -> tuple[Codec, str]:
    end = next((i for i, c in enumerate(text) if c in "[],"), len(text))
    name, rest = text[:end], text[end:]
    if name in _LEAVES:
        return _LEAVES[name], rest
    if name not in _CONTAINERS or not rest.startswith("["):
        raise ValueError(f"cannot read the type {text!r}")
    items: list[Codec] = []
    homogeneous = False
    rest = "," + rest[1:]
    while rest.startswith(","):
        if rest.startswith(",..."):
            homogeneous, rest = True, rest[4:]
        else:
            item, rest = _parse(rest[1:])
            items.append(item)
    if not rest.startswith("]"):
        raise ValueError(f"cannot read the type {text!r}")
    return _CONTAINERS[name](items, homogeneous), rest[1:]


def _leaf(kind: type[Any], decode: Callable[[Any], Any]) -> Codec:
    name = kind.__name__

    def encode(value: Any) -> Any:
        if type(value) is not kind:
            raise WrongType(name, type(value).__name__)
        return value.decode("latin-1") if kind is bytes else value

    return Codec(name, encode, decode, frozen=True)


def _decode_str(value: Any) -> str:
    if type(value) is not str:
        raise WireError("a string was due")
    return value


def _decode_int(value: Any) -> int:
    if type(value) is not int:  # `type`, since a bool is an int
        raise WireError("an integer was due")
    return value


def _decode_bytes(value: Any) -> bytes:
    try:
        return _decode_str(value).encode("latin-1")
    except UnicodeEncodeError:
        raise WireError("bytes were due") from None


def _row(value: Any) -> list[Any]:
    if type(value) is not list:
        raise WireError("an array was due")
    return value


def _list(items: list[Codec], _: bool) -> Codec:
    return _sequence(list, items[0], f"list[{items[0].name}]")


def _tuple(items: list[Codec], homogeneous: bool) -> Codec:
    if homogeneous:
        return _sequence(tuple, items[0], f"tuple[{items[0].name}, ...]")
    name = f"tuple[{', '.join(item.name for item in items)}]"
    size, plain = len(items), all(item.name == "str" for item in items)

    def encode(value: Any) -> list[Any]:
        if type(value) is not tuple:
            raise WrongType(name, type(value).__name__)
        if len(value) != size:
            raise WrongType(name, f"a tuple of {len(value)}")
        if plain and set(map(type, value)) == _STR:
            return list(value)
        row = []
        for i, (item, element) in enumerate(zip(items, value)):  # noqa: B905 - lengths are equal
            try:
                row.append(item.encode(element))
            except WrongType as error:
                raise error.inside(f"[{i}]") from None
        return row

    def decode(value: Any) -> tuple[Any, ...]:
        if len(_row(value)) != size:
            raise WireError("an array of another length was due")
        if plain and set(map(type, value)) == _STR:
            return tuple(value)
        return tuple([item.decode(element) for item, element in zip(items, value)])  # noqa: B905

    return Codec(name, encode, decode, frozen=all(item.frozen for item in items))


_STR = {str}


def _sequence(kind: type[Any], item: Codec, name: str) -> Codec:
    leaves: dict[str, set[type[Any]]] = {"str": {str}, "int": {int}}
    plain = leaves.get(item.name)

    def encode(value: Any) -> list[Any]:
        if type(value) is not kind:
            raise WrongType(name, type(value).__name__)
        if plain and set(map(type, value)) <= plain:
            return list(value)  # most of what travels; nine times faster than one by one
        row: list[Any] = []
        try:
            for element in value:
                row.append(item.encode(element))
        except WrongType as error:
            raise error.inside(f"[{len(row)}]") from None
        return row

    def decode(value: Any) -> Any:
        if plain and set(map(type, _row(value))) <= plain:
            return kind(value)
        return kind([item.decode(element) for element in _row(value)])

    frozen = kind is tuple and item.frozen
    return Codec(name, encode, decode, frozen, flat=kind is list and item.frozen)


def _key(item: Codec) -> Callable[[Any], Any]:
    """Decode something that will be hashed."""
    if item.name != "int":
        return item.decode

    def decode(value: Any) -> int:
        number = _decode_int(value)
        if not -KEY_BOUND < number < KEY_BOUND:
            raise WireError("a number too large for a key")
        return number

    return decode


def _set(items: list[Codec], _: bool) -> Codec:
    item, decode_item = items[0], _key(items[0])
    name = f"set[{item.name}]"

    def encode(value: Any) -> list[Any]:
        if type(value) is not set:
            raise WrongType(name, type(value).__name__)
        try:
            return sorted(item.encode(element) for element in value)
        except WrongType as error:
            raise error.inside("{an element}") from None

    def decode(value: Any) -> set[Any]:
        decoded = {decode_item(element) for element in _row(value)}
        if len(decoded) != len(value):
            raise WireError("an element twice in a set")
        return decoded

    return Codec(name, encode, decode)


def _dict(items: list[Codec], _: bool) -> Codec:
    key, value_of = items
    decode_key = _key(key)
    name = f"dict[{key.name}, {value_of.name}]"

    def encode(value: Any) -> list[Any]:
        if not isinstance(value, dict):  # the contract allows Counter and defaultdict
            raise WrongType(name, type(value).__name__)
        try:
            keys = [key.encode(k) for k in value]
        except WrongType as error:
            raise error.inside("{a key}") from None
        try:
            return [keys, [value_of.encode(v) for v in value.values()]]
        except WrongType as error:
            raise error.inside("{a value}") from None

    def decode(value: Any) -> dict[Any, Any]:
        if len(_row(value)) != 2 or len(_row(value[0])) != len(_row(value[1])):
            raise WireError("two columns of equal length were due")
        keys, values = value
        decoded = {
            decode_key(k): value_of.decode(v)
            for k, v in zip(keys, values)  # noqa: B905 - lengths are equal
        }
        if len(decoded) != len(keys):
            raise WireError("a key twice in a dict")
        return decoded

    return Codec(name, encode, decode, flat=key.frozen and value_of.frozen)


_LEAVES = {
    "str": _leaf(str, _decode_str),
    "int": _leaf(int, _decode_int),
    "bytes": _leaf(bytes, _decode_bytes),
}
_CONTAINERS: dict[str, Callable[[list[Codec], bool], Codec]] = {
    "list": _list,
    "tuple": _tuple,
    "set": _set,
    "dict": _dict,
}
