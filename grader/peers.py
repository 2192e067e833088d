"""Other trainers and encoders by name, each behind the same two functions.

A package is imported only where it is used. Trainers stream the text between special tokens;
encoders give ids: the bytes, then the merges in their order.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.corpus import PATTERN, SPECIAL

BLOCK = 1 << 22  # bytes read at a time
Merges = list[tuple[bytes, bytes]]
#: What training gives: called off the clock, for hex merges, or tokens, in their order.
Trained = Callable[[], "dict[str, Any]"]
Encoder = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True)
class Peer:
    """One that can be compared with. `module` is what it is imported as."""

    name: str
    module: str
    remedy: str = ""  # how to get it
    train: Callable[[str, int], Trained] | None = None
    encode: Callable[[Merges], Encoder] | None = None

    def trainer(self, path: str, vocab_size: int) -> Trained:
        """Train on the file at `path`."""
        assert self.train is not None
        return self.train(path, vocab_size)

    def encoder(self, merges: Merges) -> Encoder:
        """An encoder of texts without special tokens."""
        assert self.encode is not None
        return self.encode(merges)

    def is_there(self) -> bool:
        """Whether it can be imported; a folder of that name alone is no module."""
        try:
            spec = find_spec(self.module)
            return spec is not None and spec.origin is not None
        except ModuleNotFoundError:  # the package around it is missing
            return False


def documents(path: str) -> Iterator[str]:
    """The texts between special tokens, streamed; bytes that are not UTF-8 are ignored."""
    rest, special = b"", SPECIAL.encode()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            *whole, rest = (rest + block).split(special)
            yield from (text.decode("utf-8", "ignore") for text in whole if text)
    if rest:
        yield rest.decode("utf-8", "ignore")


def _hexes(pairs: Merges) -> dict[str, Any]:
    return {"merges": [[left.hex(), right.hex()] for left, right in pairs]}


def _byte_characters() -> dict[str, int]:
    """GPT-2's way of writing a byte as a printable character, in the characters' order."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {chr(b): b for b in plain} | {chr(256 + i): b for i, b in enumerate(rest)}


CHARACTERS = _byte_characters()


def _written(token: str) -> bytes:
    return bytes(CHARACTERS[character] for character in token)


def _as_written(token: bytes) -> str:
    return "".join(WRITTEN[byte] for byte in token)


WRITTEN = {byte: character for character, byte in CHARACTERS.items()}

# --- trainers -------------------------------------------------------------------------


def _reference(path: str, vocab_size: int) -> Trained:
    from grader import catalog

    module = catalog.reference_module(catalog.find("train_byte_bpe"))
    _, merges = module.train_byte_bpe(path, vocab_size, [SPECIAL])
    return lambda: _hexes(merges)


def _record(path: str, vocab_size: int) -> Trained:
    _, merges = import_module("reference.record").train(path, vocab_size, [SPECIAL])
    return lambda: _hexes(merges)


def _tokenizers(path: str, vocab_size: int) -> Trained:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(documents(path), trainer)

    def result() -> dict[str, Any]:
        listed = json.loads(tokenizer.to_str())["model"]["merges"]
        pairs = [each.split(" ") if isinstance(each, str) else each for each in listed]
        return _hexes([(_written(left), _written(right)) for left, right in pairs])

    return result


def _rustbpe(path: str, vocab_size: int) -> Trained:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(documents(path), vocab_size=vocab_size - 1, pattern=PATTERN)
    return lambda: {"tokens": [bytes(t).hex() for t, _ in tokenizer.get_mergeable_ranks()[256:]]}


def _bpeasy(path: str, vocab_size: int) -> Trained:
    import bpeasy

    vocab = bpeasy.train_bpe(documents(path), PATTERN, 1 << 20, vocab_size - 1)
    return lambda: {"tokens": [t.hex() for t in sorted(vocab, key=vocab.__getitem__)[256:]]}


def _ffbpe(path: str, vocab_size: int) -> Trained:
    import ffbpe

    model = ffbpe.train_bpe(documents(path), vocab_size=vocab_size, special_tokens=[SPECIAL])

    def result() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "merges.txt"
            model.save_merges_txt(file)
            lines = file.read_text(encoding="utf-8").splitlines()
        pairs = [line.split(" ")[:2] for line in lines if line]  # what follows is a count
        return _hexes([(_written(left), _written(right)) for left, right in pairs])

    return result


def _gigatoken(path: str, vocab_size: int) -> Trained:
    import gigatoken

    _, merges = gigatoken.train_bpe(Path(path), vocab_size, [SPECIAL], separator=SPECIAL.encode())
    return lambda: _hexes(merges)


def _minbpe(path: str, vocab_size: int) -> Trained:
    import regex
    from minbpe import RegexTokenizer

    # It takes one text and no special tokens: they are matched, and not counted.
    tokenizer = RegexTokenizer(rf"{regex.escape(SPECIAL)}(*SKIP)(*FAIL)|{PATTERN}")
    tokenizer.train(Path(path).read_bytes().decode("utf-8", "ignore"), vocab_size - 1)

    def result() -> dict[str, Any]:
        vocab = tokenizer.vocab
        return _hexes([(vocab[left], vocab[right]) for left, right in tokenizer.merges])

    return result


# --- encoders: of a text without special tokens, to ids of bytes and merges in order --------


def _tiktoken_encoder(merges: Merges) -> Callable[[str], list[int]]:
    import tiktoken

    ranks = {bytes([byte]): byte for byte in range(256)}
    for rank, (left, right) in enumerate(merges, start=256):
        ranks.setdefault(left + right, rank)
    encode: Callable[[str], list[int]] = tiktoken.Encoding(
        "bpe-kata", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={}
    ).encode_ordinary
    return encode


def _tokenizers_encoder(merges: Merges) -> Callable[[str], list[int]]:
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocab = {WRITTEN[byte]: byte for byte in range(256)}
    pairs = [(_as_written(left), _as_written(right)) for left, right in merges]
    for rank, (left, right) in enumerate(pairs, start=256):
        vocab.setdefault(left + right, rank)
    tokenizer = Tokenizer(models.BPE(vocab, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return lambda text: list(tokenizer.encode(text).ids)


def _record_encoder(merges: Merges) -> Callable[[str], list[int]]:
    tokens = [*(bytes([byte]) for byte in range(256)), *(left + right for left, right in merges)]
    record = import_module("reference.record")
    encode: Encoder = record.Encoder(dict(enumerate(tokens)), merges, []).encode
    return encode


def _package(name: str, remedy: str = "", **can: Any) -> Peer:
    return Peer(name, name, remedy or f"pip install {name}", **can)


_EXTRA = 'pip install "bpe-kata[peers]"'
_NO_PACKAGE = "it is no package: put its checkout on PYTHONPATH"
PEERS = {
    peer.name: peer
    for peer in (
        Peer("reference", "grader", train=_reference),
        Peer(
            "record",
            "reference.record",
            "this version comes without it",
            train=_record,
            encode=_record_encoder,
        ),
        _package("tokenizers", _EXTRA, train=_tokenizers, encode=_tokenizers_encoder),
        _package("tiktoken", _EXTRA, encode=_tiktoken_encoder),
        _package("rustbpe", _EXTRA, train=_rustbpe),
        _package("bpeasy", train=_bpeasy),
        _package("ffbpe", train=_ffbpe),
        _package("gigatoken", train=_gigatoken),
        _package("minbpe", _NO_PACKAGE, train=_minbpe),
    )
}
