"""A small kata and submissions made from source text, for tests of the engine."""

from __future__ import annotations

import hashlib
import textwrap
from dataclasses import replace
from pathlib import Path

from grader.model import Kata, Limits, Parameter, Signature, Submission

SIGNATURE = Signature(
    "train",
    (Parameter("word_counts", "dict[str, int]"), Parameter("num_merges", "int")),
    "list[tuple[str, str]]",
)

KATA = Kata(
    name="train",
    title="A kata for tests",
    level="core",
    order=1,
    minutes=5,
    policy="pure",
    examples=10,
    limits=Limits(call_s=1.0, import_s=1.0, kata_s=10.0),
    hints=("a", "b", "c"),
    follow_ups=(),
    signature=SIGNATURE,
    statement="",
    stub="",
    reference=Path("/nowhere"),
    suite=Path("/nowhere"),
    mistakes=Path("/nowhere"),
)

#: A kata whose words stay in the parent, like `merge_and_update`.
BUDGET_KATA = replace(
    KATA,
    name="update",
    signature=Signature(
        "update",
        (
            Parameter("words", "list[list[str]]", mutable=True, budget="where[key]"),
            Parameter("where", "dict[str, set[int]]", mutable=True),
            Parameter("key", "str"),
        ),
        "list[int]",
    ),
)

#: A kata that reads a file and may start processes, like `train_byte_bpe`.
FILE_KATA = replace(
    KATA,
    name="read",
    policy="corpus",
    limits=Limits(call_s=10.0, memory_mib=2048),
    signature=Signature("read", (Parameter("path", "str", file=True),), "list[str]"),
)


def submission(source: str, path: str = "katas/train.py") -> Submission:
    """A submission of this (dedented) source."""
    data = textwrap.dedent(source).encode()
    return Submission(path, data, hashlib.sha256(data).hexdigest())
