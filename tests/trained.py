"""A small text, the tokenizer trained on it, and where the published lists may lie."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from grader import catalog
from grader.corpus import SPECIAL
from grader.tokenizer import Tokenizer

KATA = catalog.find("train_byte_bpe")
TEXT = f"{KATA.statement} the größer aaaa aaab abab 👍🏽\r\n<|endoftext|>" * 4
VOCAB_SIZE = 340

GOLDEN = Path(__file__).resolve().parents[2] / "shared/data/golden"
LISTS = {
    "owt-train": "owt_train_32k_merges.gpt2fmt.txt",
    "tinystories-train": "tinystories_v2_train_10k_merges.gpt2fmt.txt",
}
golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason="the published merges are not here")


def made(merges: list[tuple[bytes, bytes]], special: tuple[str, ...] = (SPECIAL,)) -> Tokenizer:
    """The tokenizer with these merges, ids as the kata wants them."""
    tokens = [bytes([value]) for value in range(256)]
    tokens += [each.encode() for each in special] + [left + right for left, right in merges]
    return Tokenizer(dict(enumerate(tokens)), merges, special)


@cache
def on_text() -> Tokenizer:
    """Trained by the reference on the text."""
    with TemporaryDirectory() as folder:
        path = write_text(Path(folder))
        vocab, merges = catalog.reference_module(KATA).train_byte_bpe(
            str(path), VOCAB_SIZE, [SPECIAL]
        )
    return Tokenizer(vocab, merges, (SPECIAL,))


def write_text(folder: Path) -> Path:
    """The text as a file."""
    path = folder / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path
