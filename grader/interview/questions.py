"""What to talk about in an interview: questions with the points a good answer makes."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from grader.errors import CardError, UsageError

LEVELS = ("basic", "solid", "deep")

_FILE = Path(__file__).with_name("questions.toml")


@dataclass(frozen=True, slots=True)
class Question:
    """One question to be answered aloud or in writing, and what to hold the answer against."""

    id: str
    level: str  # basic, solid or deep
    topic: str
    ask: str
    points: tuple[str, ...]  # what a good answer says, a sentence or two each
    wrong: tuple[str, ...]  # what people say instead, the correction in parentheses
    follow_up: str
    source: str  # where the facts stand: papers and documents by author, year and title


@cache
def questions() -> tuple[Question, ...]:
    """Every question, in the order of the file; raises `CardError` when that is unsound."""
    return parse(_FILE.read_text(encoding="utf-8"), _FILE)


def pick(seed: int, count: int, levels: tuple[str, ...] = ()) -> tuple[Question, ...]:
    """`count` different questions in an order that the seed decides, no topic twice if possible.

    Without `levels` from all of them. There may be fewer than `count`. Raises `UsageError`
    for a level that does not exist.
    """
    for level in levels:
        if level not in LEVELS:
            raise UsageError(f"There is no level {level!r}; the levels are {', '.join(LEVELS)}.")
    wanted = [each for each in questions() if not levels or each.level in levels]
    random.Random(f"questions {seed}").shuffle(wanted)
    turns: dict[str, int] = {}
    rows = []
    for question in wanted:
        turns[question.topic] = turns.get(question.topic, 0) + 1
        rows.append((turns[question.topic], question))
    rows.sort(key=lambda row: row[0])  # one of each topic before the second of any
    return tuple(question for _, question in rows[: max(count, 0)])


def parse(text: str, path: Path) -> tuple[Question, ...]:
    """The questions of a TOML text; `path` is for the messages.

    Raises `CardError` that names the file, the question, the key and the remedy.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CardError(f"{path} is not valid TOML ({error}); mend that line.") from None
    rows = data.get("question")
    if set(data) != {"question"} or not isinstance(rows, list):
        raise CardError(f"{path}: write every question as a table under [[question]].")
    found = tuple(_question(row, path, number) for number, row in enumerate(rows, start=1))
    ids = [question.id for question in found]
    for each in ids:
        if ids.count(each) > 1:
            raise CardError(f"{path}: two questions have the id {each!r}; rename one.")
    return found


_LISTS = ("points", "wrong")


def _question(row: dict[str, Any], path: Path, number: int) -> Question:
    name = row.get("id", f"number {number}")
    keys = [field.name for field in fields(Question)]
    for key in (*keys, *row):
        if key not in keys:
            raise CardError(
                f"{path}: question {name} has the unknown key {key!r}; known are {', '.join(keys)}."
            )
        value = row.get(key)
        texts = value if key in _LISTS and isinstance(value, list) else [value]
        if not texts or not all(isinstance(each, str) and each.strip() for each in texts):
            kind = "a list of texts" if key in _LISTS else "a text"
            raise CardError(f"{path}: question {name} needs {key!r}, {kind}; add it.")
        if key in _LISTS and not isinstance(value, list):
            raise CardError(f"{path}: {key!r} of question {name} must be a list of texts.")
    if row["level"] not in LEVELS:
        raise CardError(
            f"{path}: question {name} has level {row['level']!r}; "
            f"it must be one of {', '.join(LEVELS)}."
        )
    values: dict[str, Any] = {key: tuple(row[key]) if key in _LISTS else row[key] for key in keys}
    return Question(**values)
