"""A plan of an interview: stages with shares of its time, from a TOML file anyone can copy."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from grader import catalog
from grader.errors import UsageError
from grader.interview.questions import LEVELS

FOLDER = Path(__file__).with_name("plans")
KINDS = ("talk", "code", "ladder")
_PLAN_KEYS = ("title", "minutes", "strict", "seed", "stages")
_STAGE_KEYS = {
    "talk": ("kind", "title", "share", "questions", "levels"),
    "code": ("kind", "title", "share", "katas"),
    "ladder": ("kind", "title", "share", "rungs"),
}
_MOST_MINUTES = 600


@dataclass(frozen=True, slots=True)
class Stage:
    """One part of an interview; `share` is its part of the whole time, in any unit."""

    kind: str  # talk, code or ladder
    title: str
    share: int
    katas: tuple[str, ...] = ()  # code: one of these is drawn
    questions: int = 0  # talk: how many
    levels: tuple[str, ...] = ()  # talk: of which levels; all of them when empty
    rungs: int = 0  # ladder: how many at most


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole interview. A settled one has a seed, and one kata in each code stage."""

    title: str
    minutes: int
    stages: tuple[Stage, ...]
    strict: bool = False
    seed: int | None = None

    @property
    def seconds(self) -> float:
        return self.minutes * 60.0

    def share_s(self, stage: int) -> float:
        """Seconds that a stage should take."""
        return self.seconds * self.stages[stage].share / sum(s.share for s in self.stages)

    @property
    def katas(self) -> tuple[str, ...]:
        """The katas to write, in order."""
        return tuple(stage.katas[0] for stage in self.stages if stage.kind == "code")

    def kata_of(self, stage: int) -> str | None:
        """What a stage is about: its own kata, or that of the code stage before a ladder."""
        if self.stages[stage].kind == "talk":
            return None
        return [s.katas[0] for s in self.stages[: stage + 1] if s.kind == "code"][-1]


class PlanError(UsageError):
    """A plan that cannot be read: names the file, the key and the remedy."""


def names() -> tuple[str, ...]:
    """The plans that ship, the shorter first."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.toml")), key=_minutes))


def load(which: str) -> Plan:
    """The plan of that name, or in that file. Raises `PlanError`."""
    return parse(text_of(which), which)


def text_of(which: str) -> str:
    """The text of a plan that ships or of a file. Raises `PlanError`."""
    path = FOLDER / f"{which}.toml" if which in names() else Path(which)
    if not path.is_file():
        near = catalog.nearest(which, names())
        offer = f"did you mean {near!r}?" if near else f"there are {', '.join(names())}, and files."
        raise PlanError(f"There is no plan {which!r}; {offer}")
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"{which} cannot be read as text ({error}); save it as UTF-8.") from None


def parse(text: str, name: str) -> Plan:
    """The plan that a TOML text holds; `name` is for messages."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{name} is not valid TOML ({error}); mend that line.") from None
    return from_dict(data, name)


def from_dict(data: Mapping[str, Any], name: str) -> Plan:
    """The plan that these tables hold. Raises `PlanError`."""
    _known(data, _PLAN_KEYS, name, "")
    found = data.get("stages")
    if not isinstance(found, list | tuple) or not found:
        raise PlanError(f"{name}: 'stages' is missing; add a table `[[stages]]` for each part.")
    stages: list[Stage] = []
    for number, table in enumerate(found, start=1):
        stages.append(_stage(table, f"stages[{number}].", name, stages))
    if not any(stage.kind == "code" for stage in stages):
        raise PlanError(f'{name}: no stage has kind = "code"; add one, with something to write.')
    return Plan(
        title=_text(data, "title", name, ""),
        minutes=_number(data, "minutes", name, "", most=_MOST_MINUTES),
        stages=tuple(stages),
        strict=_flag(data, "strict", name),
        seed=None if data.get("seed") is None else _number(data, "seed", name, "", least=0),
    )


def to_dict(plan: Plan) -> dict[str, Any]:
    """The tables of a plan, without what a stage does not use; `from_dict` reads them."""
    stages = [
        {key: value for key, value in asdict(stage).items() if key in _STAGE_KEYS[stage.kind]}
        for stage in plan.stages
    ]
    return {**asdict(plan), "stages": stages}


def settled(plan: Plan, seed: int, katas: Sequence[str] = ()) -> Plan:
    """The plan with everything drawn: `katas` for its writing stages in order, or by the seed.

    Raises `UsageError` when their number does not fit, `UnknownKata` for a name.
    """
    places = [stage for stage in plan.stages if stage.kind == "code"]
    if katas and len(katas) != len(places):
        wanted = "1 kata" if len(places) == 1 else f"{len(places)} katas"
        raise UsageError(
            f"The plan {plan.title!r} has {wanted} to write, and --katas names {len(katas)}."
        )
    for kata in katas:
        catalog.find(kata)
    if len(set(katas)) < len(katas):
        raise UsageError("--katas names a kata twice; name different ones.")
    draw, given = random.Random(f"katas {seed}"), iter(katas)
    stages: list[Stage] = []
    chosen: list[str] = []
    for stage in plan.stages:
        if stage.kind == "code":
            left = [k for k in stage.katas if k not in chosen and k not in katas] or stage.katas
            chosen.append(next(given) if katas else draw.choice(left))
            stage = replace(stage, katas=(chosen[-1],))
        stages.append(stage)
    if len(set(chosen)) < len(chosen):
        raise UsageError(
            f"The plan {plan.title!r} would draw {chosen[-1]} twice; give its stages other katas."
        )
    return replace(plan, stages=tuple(stages), seed=seed)


def written(plan: Plan) -> str:
    """A plan as TOML: the file that an interviewer hands out."""
    lines = [f"title = {_quoted(plan.title)}", f"minutes = {plan.minutes}"]
    lines += [f"strict = {str(plan.strict).lower()}"]
    lines += [f"seed = {plan.seed}"] if plan.seed is not None else []
    for table in to_dict(plan)["stages"]:
        lines += ["", "[[stages]]"]
        lines += [f"{key} = {_toml(value)}" for key, value in table.items() if value not in ((),)]
    return "\n".join(lines) + "\n"


def _minutes(name: str) -> int:
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return int(data["minutes"])


def _stage(table: object, where: str, name: str, before: Sequence[Stage]) -> Stage:
    if not isinstance(table, Mapping):
        raise PlanError(f"{name}: {where.rstrip('.')!r} must be a table `[[stages]]`.")
    kind = table.get("kind")
    if kind not in KINDS:
        near = catalog.nearest(str(kind), KINDS)
        offer = f"did you mean {near!r}?" if near else f"it is one of {', '.join(KINDS)}."
        raise PlanError(f"{name}: '{where}kind' is {kind!r}; {offer}")
    _known(table, _STAGE_KEYS[kind], name, where)
    if kind == "ladder" and not any(stage.kind == "code" for stage in before):
        raise PlanError(
            f"{name}: '{where}kind' is 'ladder', and there is nothing written yet to take "
            "further; put a code stage before it."
        )
    return Stage(
        kind=kind,
        title=_text(table, "title", name, where),
        share=_number(table, "share", name, where),
        katas=_katas(table, name, where) if kind == "code" else (),
        questions=_number(table, "questions", name, where) if kind == "talk" else 0,
        levels=_chosen(table, "levels", LEVELS, name, where) if kind == "talk" else (),
        rungs=_number(table, "rungs", name, where) if kind == "ladder" else 0,
    )


def _katas(table: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    known = catalog.names()
    found = _chosen(table, "katas", known, name, where)
    if not found:
        raise PlanError(f"{name}: '{where}katas' names none; the katas are {', '.join(known)}.")
    return found


def _chosen(
    table: Mapping[str, Any], key: str, known: Sequence[str], name: str, where: str
) -> tuple[str, ...]:
    """A list of texts, all of them known."""
    found = _texts(table, key, name, where)
    for text in found:
        if text not in known:
            near = catalog.nearest(text, known)
            offer = f"did you mean {near!r}?" if near else f"there are {', '.join(known)}."
            raise PlanError(f"{name}: {where + key!r} names {text!r}; {offer}")
    return found


def _known(table: Mapping[str, Any], keys: Sequence[str], name: str, where: str) -> None:
    for key in table:
        if key not in keys:
            near = catalog.nearest(key, keys)
            offer = f"did you mean {near!r}?" if near else f"known are {', '.join(keys)}."
            raise PlanError(f"{name}: unknown key {where + key!r}; {offer}")


def _text(table: Mapping[str, Any], key: str, name: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise PlanError(f'{name}: {where + key!r} must be a text; write `{key} = "…"`.')
    return " ".join(value.split())


def _texts(table: Mapping[str, Any], key: str, name: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
        raise PlanError(f'{name}: {where + key!r} must be a list of texts, like ["…", "…"].')
    return tuple(value)


def _number(
    table: Mapping[str, Any], key: str, name: str, where: str, *, least: int = 1, most: int = 10**9
) -> int:
    value = table.get(key)
    if type(value) is not int or not least <= value <= most:
        raise PlanError(
            f"{name}: {where + key!r} must be a whole number from {least} to {most:,}, "
            f"not {value!r}."
        )
    return value


def _flag(table: Mapping[str, Any], key: str, name: str) -> bool:
    value = table.get(key, False)
    if type(value) is not bool:
        raise PlanError(f"{name}: {key!r} must be true or false, not {value!r}.")
    return value


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_quoted(each) for each in value) + "]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's, but for DEL."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
