"""The process in which one of our own trainers runs: `python -m grader.train_child`.

Reads a request as JSON on stdin, writes the result as JSON to the file it names, and says
on stderr how far it is. A submission never runs here.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader import catalog

#: Our trainers by the name `--solution` gives them.
OWN = ("reference", "record")


def trainer(name: str) -> Callable[..., Any]:
    """The function of that name: (path, vocab size, special tokens) -> (vocab, merges)."""
    if name == "reference":
        kata = catalog.find("train_byte_bpe")
        found: Callable[..., Any] = catalog.reference_module(kata).train_byte_bpe
    else:
        found = importlib.import_module("reference.record").train
    return found


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
