"""The process in which one of our own trainers runs: `python -m grader.train_child`.

Reads a request as JSON on stdin, writes the result as JSON to the file it names, and says
on stderr how far it is. A submission never runs here.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from grader import catalog

#: Our trainers by the name `--solution` gives them.
OWN = ("reference", "record")
KATA = "train_byte_bpe"


def trainer(name: str) -> Callable[..., Any]:
    """The function of that name: (path, vocab size, special tokens) -> (vocab, merges)."""
    if name == "record":
        return partial(importlib.import_module("reference.record").train, progress=Progress())
    found: Callable[..., Any] = catalog.reference_module(catalog.find(KATA)).train_byte_bpe
    return found


class Progress:
    """Says on stderr how far the record is, once a second; the reference does so itself."""

    def __init__(self) -> None:
        self.due = time.monotonic() + 1

    def __call__(self, stage: str, done: int, total: int) -> None:
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + 1
            print(f"{stage} {done:,} of {total:,}", file=sys.stderr, flush=True)


def main() -> None:
    request = json.load(sys.stdin)
    train = trainer(request["trainer"])
    vocab, merges = train(request["path"], request["vocab_size"], request["special_tokens"])
    result = {
        "vocab": [[number, token.hex()] for number, token in vocab.items()],
        "merges": [[left.hex(), right.hex()] for left, right in merges],
    }
    Path(request["output"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
