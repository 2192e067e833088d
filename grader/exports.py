"""A tokenizer as files that other programs read: GPT-2's pair, and Hugging Face's one."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.tokenizer import Merge, Tokenizer
from grader.workspace import write_atomically

_HEAD = "#version: 0.2"


@cache
def alphabet() -> Mapping[int, str]:
    """GPT-2's character for each byte: itself where it is visible, else one from U+0100 on."""
    visible = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [value for value in range(256) if value not in visible]
    return {value: chr(value) for value in visible} | {
        value: chr(0x100 + number) for number, value in enumerate(hidden)
    }


@cache
def _values() -> Mapping[str, int]:
    return {char: value for value, char in alphabet().items()}


def written(token: bytes) -> str:
    """A token in GPT-2's alphabet: b" the" is `Ġthe`."""
    return "".join(map(alphabet().__getitem__, token))


def read_token(text: str) -> bytes:
    """The other way round. Raises `KeyError` for a character that stands for no byte."""
    return bytes(map(_values().__getitem__, text))


def merges_txt(tokenizer: Tokenizer) -> str:
    """A merge a line, in the order learned."""
    rows = (f"{written(left)} {written(right)}" for left, right in tokenizer.merges)
    return "\n".join((_HEAD, *rows)) + "\n"


def read_merges(text: str) -> list[Merge]:
    """The merges of a `merges.txt`, with or without its first line."""
    rows = [row for row in text.split("\n") if row and not row.startswith("#version")]
    try:
        pairs = [tuple(map(read_token, row.split(" "))) for row in rows]
        return [(left, right) for left, right in pairs]
    except (KeyError, ValueError):
        raise UsageError("This is no merges.txt of a byte-level BPE.") from None


def vocabulary(tokenizer: Tokenizer) -> dict[str, int]:
    """The id of each token as GPT-2 writes it; special tokens stand as they are.

    Raises `UsageError` for a special token that reads like another token.
    """
    found = {written(token): number for token, number in tokenizer.ids.items()}
    for number, special in enumerate(tokenizer.special_tokens, 256):
        if special in found:
            raise UsageError(
                f"The special token {special!r} reads like token {found[special]} in vocab.json, "
                "which can hold only one of them; choose another."
            )
        found[special] = number
    return dict(sorted(found.items(), key=lambda item: item[1]))


def vocab_json(tokenizer: Tokenizer) -> str:
    return json.dumps(vocabulary(tokenizer), ensure_ascii=False) + "\n"


def tokenizer_json(tokenizer: Tokenizer) -> str:
    """The format of Hugging Face's `tokenizers`, whose ByteLevel splits as GPT-2 does."""
    byte_level = {"add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    added = [
        {
            "id": number,
            "content": special,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for number, special in enumerate(tokenizer.special_tokens, 256)
    ]
    data: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", **byte_level},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", **byte_level},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary(tokenizer),
            "merges": [[written(left), written(right)] for left, right in tokenizer.merges],
        },
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def files(tokenizer: Tokenizer) -> dict[str, str]:
    """Every file by its name."""
    return {
        "vocab.json": vocab_json(tokenizer),
        "merges.txt": merges_txt(tokenizer),
        "tokenizer.json": tokenizer_json(tokenizer),
    }


def check_free(folder: Path, force: bool) -> None:
    """Raise before an hour of training, not after it."""
    if os.path.lexists(folder) and not folder.is_dir():
        raise UsageError(f"--out {folder} is a file; name a folder.")
    if folder.is_dir() and not force:
        raise UsageError(
            f"--out {folder} exists; name a new folder, or add --force to replace the "
            "tokenizer in it."
        )
    above = folder if folder.is_dir() else folder.absolute().parent
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise UsageError(f"--out {folder} cannot be made; name one where you may write.")


def save(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the files: a new folder comes into being whole; in an old one each is replaced."""
    try:
        if folder.is_dir():
            for name, text in texts.items():
                write_atomically(folder / name, text.encode())
        else:
            _make(folder.absolute(), texts)
    except OSError as error:
        raise UsageError(f"--out {folder} cannot be written: {error.strerror or error}.") from None


def _make(folder: Path, texts: Mapping[str, str]) -> None:
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", dir=folder.parent))
    try:
        for name, text in texts.items():
            write_atomically(aside / name, text.encode())
        mask = os.umask(0)
        os.umask(mask)
        aside.chmod(0o777 & ~mask)
        aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
