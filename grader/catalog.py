"""Find the katas: card, reference and suite on disk -> `Kata`.

A kata is five files of one name and no registry. The reference's function carries the
statement as its docstring; the pristine stub is made from it, so a learner who has
edited `katas/<kata>.py` can always get it back, and no two texts can drift apart.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import sys
import textwrap
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from grader.errors import CardError, UnknownKata
from grader.model import Kata, Limits, Parameter, Rung, Signature

T = TypeVar("T")

LEVELS = ("warm-up", "core", "interview", "research", "capstone")
POLICIES = ("pure", "corpus")
#: How the answer to a follow-up can be checked; what stands behind the colon.
CHECKS = {
    "case": "a case of the suite",
    "variant": "a known mistake that is the right answer now",
    "growth": "a kind of input",
    "time": "how many times the reference's time, on a sample of text",
    "whole": "how many times the reference's time, on the whole text",
    "memory": "how many times the reference's memory, on the whole text",
}


@dataclass(frozen=True, slots=True)
class Places:
    """Where this installation keeps its files."""

    reference: Path
    suites: Path  # the folder of `hidden/` and `strategies.py`
    checkout: Path | None  # the root of the project, when it runs from a checkout


def places() -> Places:
    """The folders of this installation; nothing else in the project knows them.

    A wheel carries the suites inside `grader`; a checkout keeps them in `tests`.
    """
    package = Path(__file__).resolve().parent
    installed = package / "_suites"
    if installed.is_dir():
        return Places(package.parent / "reference", installed, None)
    root = package.parent
    return Places(root / "reference", root / "tests", root)


@cache
def names() -> tuple[str, ...]:
    """Every kata, in the order of the cards."""
    return tuple(kata.name for kata in all_katas())


@cache
def all_katas() -> tuple[Kata, ...]:
    cards = sorted(places().reference.glob("*.toml"))
    return tuple(sorted((_load(card) for card in cards), key=lambda kata: kata.order))


def find(name: str) -> Kata:
    """The kata of that name; loads no other card.

    Raises `UnknownKata` with the nearest name, `CardError` when its files are unsound.
    """
    card = places().reference / f"{name}.toml"
    known = sorted(path.stem for path in places().reference.glob("*.toml"))
    if name not in known:
        hint = nearest(name, known)
        offer = f"did you mean {hint!r}?" if hint else f"the katas are {', '.join(known)}."
        raise UnknownKata(f"There is no kata {name!r}; {offer}")
    return _load(card)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The closest of the known words, or None when nothing is near."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)), None)


def load_module(path: Path, name: str) -> ModuleType:
    """Import one of our own files by its path, never by a name the cwd could shadow."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CardError(f"{path} cannot be imported; reinstall bpe-kata.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def naive(kata: Kata) -> Path | None:
    """A right solution that is slow on purpose, to time beside; not every kata has one."""
    path = places().reference / "naive" / f"{kata.name}.py"
    return path if path.is_file() else None


@cache
def reference_module(kata: Kata) -> ModuleType:
    """The reference solution as a module."""
    return load_module(kata.reference, f"_reference_{kata.name}")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong solution: a function of `reference/mistakes/<kata>.py`."""

    id: str
    title: str  # the docstring's first line: the diagnosis, in the second person
    text: str  # what to look at
    outcome: str  # what judging it must give: an Outcome, or `stretch`


def mistakes(kata: Kata) -> tuple[Mistake, ...]:
    """The mistakes of a kata: its public functions that end in `Outcome: …`."""
    if not kata.mistakes.is_file():
        return ()
    tree = ast.parse(kata.mistakes.read_text(encoding="utf-8"))
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found.append(_mistake(kata.mistakes, node))
    return tuple(found)


def _mistake(path: Path, node: ast.FunctionDef) -> Mistake:
    doc = ast.get_docstring(node) or ""
    *body, last = doc.splitlines() or [""]
    if not body or not last.startswith("Outcome: "):
        raise CardError(
            f"{path}: the docstring of {node.name!r} must end in a line "
            "`Outcome: WRONG` (or RAISED, TIMEOUT, MEMORY, stretch)."
        )
    title, _, rest = "\n".join(body).strip().partition("\n")
    return Mistake(node.name, title, textwrap.dedent(rest).strip(), last.removeprefix("Outcome: "))


def _load(card: Path) -> Kata:
    name = card.stem
    data = _read_card(card)
    where = places()
    reference = where.reference / f"{name}.py"
    suite = where.suites / "hidden" / f"test_{name}.py"
    for path in (reference, suite):
        if not path.is_file():
            raise CardError(f"{card}: the kata's file {path} is missing; add it.")
    function = _function(reference, name)
    kata_text = ast.get_docstring(function) or ""
    if not kata_text:
        raise CardError(f"{reference}: {name!r} has no docstring; it is the statement, write it.")
    return Kata(
        name=name,
        title=_take(card, data, "title", str),
        level=_one_of(card, data, "level", LEVELS),
        order=_take(card, data, "order", int),
        minutes=_take(card, data, "minutes", int),
        policy=_one_of(card, data, "policy", POLICIES),
        examples=_take(card, data, "examples", int),
        limits=_limits(card, data.get("limits", {})),
        hints=_texts(card, data, "hints", at_least=3),
        follow_ups=_follow_ups(card, data.get("follow_ups", [])),
        signature=_signature(card, function, data.get("arguments", {})),
        statement=kata_text,
        stub=_stub(reference, function, data),
        reference=reference,
        suite=suite,
        mistakes=where.reference / "mistakes" / f"{name}.py",
    )


_CARD_KEYS = {
    "title",
    "level",
    "order",
    "minutes",
    "policy",
    "examples",
    "hints",
    "follow_ups",
    "limits",
    "arguments",
}


def _read_card(card: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(card.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CardError(f"{card} is not valid TOML ({error}); mend that line.") from None
    _known_keys(card, "", data, _CARD_KEYS)
    return data


def _known_keys(card: Path, table: str, data: object, known: set[str]) -> None:
    if not isinstance(data, dict):
        raise CardError(f"{card}: {table.rstrip('.')!r} must be a table.")
    for key in data:
        if key not in known:
            hint = nearest(key, known)
            offer = f"did you mean {hint!r}?" if hint else f"known are {', '.join(sorted(known))}."
            raise CardError(f"{card}: unknown key {table + key!r}; {offer}")


def _take(card: Path, data: dict[str, Any], key: str, kind: type[T]) -> T:
    if key not in data:
        raise CardError(f"{card}: the key {key!r} is missing; add `{key} = …`.")
    value = data[key]
    if type(value) is not kind:
        raise CardError(f"{card}: {key!r} must be a {kind.__name__}, not {value!r}.")
    return value


def _one_of(card: Path, data: dict[str, Any], key: str, choices: tuple[str, ...]) -> str:
    value = _take(card, data, key, str)
    if value not in choices:
        raise CardError(f"{card}: {key} = {value!r}; it must be one of {', '.join(choices)}.")
    return value


def _texts(card: Path, data: dict[str, Any], key: str, at_least: int) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(t, str) and t.strip() for t in value):
        raise CardError(f"{card}: {key!r} must be a list of non-empty strings.")
    if len(value) < at_least:
        raise CardError(f"{card}: {key!r} needs at least {at_least} entries, it has {len(value)}.")
    return tuple(textwrap.dedent(text).strip() for text in value)


def _follow_ups(card: Path, rows: object) -> tuple[Rung, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CardError(f"{card}: write each follow-up as a table under [[follow_ups]].")
    rungs: list[Rung] = []
    for number, row in enumerate(rows, start=1):
        _known_keys(card, f"follow_ups[{number}].", row, {"id", "ask", "check", "points"})
        rung = Rung(
            id=_take(card, row, "id", str),
            ask=_take(card, row, "ask", str),
            check=_check(card, row),
            points=_texts(card, row, "points", at_least=1),
        )
        if rung.id in [each.id for each in rungs]:
            raise CardError(f"{card}: two follow-ups have the id {rung.id!r}; rename one.")
        rungs.append(rung)
    return tuple(rungs)


def _check(card: Path, row: dict[str, Any]) -> str | None:
    """How a follow-up is checked, as `kind:argument`; what it names is looked up when it runs."""
    if "check" not in row:
        return None
    check = _take(card, row, "check", str)
    kind, _, argument = check.partition(":")
    if kind not in CHECKS:
        hint = nearest(kind, CHECKS)
        offer = f"did you mean {hint!r}?" if hint else f"known are {', '.join(CHECKS)}."
        raise CardError(f"{card}: 'check' of follow-up {row['id']!r} is {check!r}; {offer}")
    if not argument or (kind in ("time", "whole", "memory") and not argument.isdecimal()):
        raise CardError(
            f"{card}: 'check' of follow-up {row['id']!r} is {check!r}; "
            f"write `{kind}:` and {CHECKS[kind]}."
        )
    return check


def _limits(card: Path, data: object) -> Limits:
    known = {field.name for field in fields(Limits)}
    _known_keys(card, "limits.", data, known)
    assert isinstance(data, dict)
    for key, value in data.items():
        if type(value) not in (int, float) or value <= 0:
            raise CardError(f"{card}: 'limits.{key}' must be a positive number, not {value!r}.")
    return Limits(**data)


def _signature(card: Path, function: ast.FunctionDef, data: object) -> Signature:
    _known_keys(card, "arguments.", data, {"mutable", "file", "budget"})
    assert isinstance(data, dict)
    own = [arg.arg for arg in function.args.args]
    mutable, file, budget = data.get("mutable", []), data.get("file", []), data.get("budget", {})
    for key, named in (("mutable", mutable), ("file", file), ("budget", budget)):
        for name in named:
            if name not in own:
                raise CardError(
                    f"{card}: 'arguments.{key}' names {name!r}; "
                    f"the parameters of {function.name} are {', '.join(own)}."
                )
    parameters = tuple(
        Parameter(
            arg.arg,
            ast.unparse(arg.annotation) if arg.annotation else "",
            mutable=arg.arg in mutable,
            file=arg.arg in file,
            budget=budget.get(arg.arg),
        )
        for arg in function.args.args
    )
    return Signature(
        function.name, parameters, ast.unparse(function.returns) if function.returns else ""
    )


def _function(path: Path, name: str) -> ast.FunctionDef:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise CardError(f"{path}: there is no function {name!r}; a reference defines its kata's name.")


def _stub(reference: Path, function: ast.FunctionDef, data: dict[str, Any]) -> str:
    """The reference's signature and docstring, with nothing behind them."""
    lines = reference.read_text(encoding="utf-8").splitlines()
    head = lines[function.lineno - 1 : function.body[0].end_lineno]
    title, level, minutes = data.get("title"), data.get("level"), data.get("minutes")
    return "\n".join(
        [
            f'"""{title} ({level}, {minutes} minutes).',
            "",
            "Write the function below, then check it with",
            "",
            f"    kata run {function.name}",
            '"""',
            "",
            "",
            *head,
            "    raise NotImplementedError",
            "",
        ]
    )
