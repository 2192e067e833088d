"""Whether a tokenizer does what one has to: give texts back, agree with others, compress."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grader.tokenizer import Tokenizer, compression, sizes

DOCUMENTS = 300
#: Sequences that come apart when somebody takes a character for a byte or a code point.
_EMOJI = (
    "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇧🇷🇺🇦", "👍🏽", "1️⃣", "❤️", "🧑🏿‍🚀", "🫠", "☺︎", "é", "e\u0301", "ﬁ", "한국어",
    "日本語", "العربية", "हिन्दी", "\U0001d54f", "\u200b", "\ufeff", "\x00", "\x7f", "\u2028",
)  # fmt: skip
_TEXT = (" the", "The", "don't", " we'll", "\r\n", "\n\n", "   ", "\t", " 1234", "…", " -- ", "A")


@dataclass(frozen=True, slots=True)
class Point:
    """One vocabulary size of the curve."""

    vocab_size: int
    bytes_per_token: float


@dataclass(frozen=True, slots=True)
class Sanity:
    """What was tried, and what came of it."""

    documents: int
    lost: str | None  # the first document that did not come back
    peer: str | None  # another library, by name and version, that loaded the tokenizer
    differs: str | None  # the first document on which its ids are others
    curve: tuple[Point, ...]
    measured_on: str
    longest: tuple[bytes, ...]  # tokens
    deterministic: bool | None = None  # None: it was not trained twice

    @property
    def sound(self) -> bool:
        return self.lost is None and self.differs is None and self.deterministic is not False


def examine(
    tokenizer: Tokenizer,
    tokenizer_json: str,
    held_out: str,
    measured_on: str,
    deterministic: bool | None = None,
) -> Sanity:
    """Try a tokenizer on random documents and on `held_out`, a text it was not trained on."""
    texts = list(documents(tokenizer.special_tokens))
    peer = _peer(tokenizer_json)
    return Sanity(
        documents=len(texts),
        lost=_first(texts, lambda text: tokenizer.decode(tokenizer.encode(text)) == text),
        peer=peer.name if peer else None,
        differs=_first(texts, lambda text: peer.encode(text) == tokenizer.encode(text))
        if peer
        else None,
        curve=curve(tokenizer, held_out),
        measured_on=measured_on,
        longest=tuple(sorted(tokenizer.ids, key=len, reverse=True)[:3]),
        deterministic=deterministic,
    )


def curve(tokenizer: Tokenizer, text: str) -> tuple[Point, ...]:
    """Bytes per token of a text, by the size of the vocabulary."""
    table, special = tokenizer.counts(text)
    found = compression(tokenizer, table, special, len(text.encode()))
    least = 256 + len(tokenizer.special_tokens)
    return tuple(Point(size, found.bytes_per_token(size - least)) for size in sizes(tokenizer))


def documents(special_tokens: Sequence[str], number: int = DOCUMENTS) -> Iterator[str]:
    """Random texts: any characters, emoji, words, white space, special tokens. Always the same."""
    draw = random.Random(0)
    yield ""
    yield from _EMOJI
    for _ in range(number - 1 - len(_EMOJI)):
        kinds = [_EMOJI, _TEXT, _TEXT, special_tokens or _TEXT]
        yield "".join(_piece(draw, kinds) for _ in range(draw.randrange(1, 30)))


def _piece(draw: random.Random, kinds: Sequence[Sequence[str]]) -> str:
    return _any(draw) if draw.random() < 0.3 else draw.choice(draw.choice(kinds))


def _any(draw: random.Random) -> str:
    """Any character that was one in Unicode 3.2: of later ones each library knows others."""
    while True:
        char = chr(draw.randrange(draw.choice((0x80, 0x800, 0x10000, 0x110000))))
        if unicodedata.ucd_3_2_0.category(char) not in ("Cn", "Cs"):
            return char


def _first(texts: Sequence[str], holds: Callable[[str], bool]) -> str | None:
    return next((text for text in texts if not holds(text)), None)


@dataclass(frozen=True, slots=True)
class _Peer:
    """Hugging Face's tokenizers with our file in it."""

    name: str
    encode: Callable[[str], list[int]]


def _peer(tokenizer_json: str) -> _Peer | None:
    """None where the library is not installed."""
    try:
        import tokenizers
    except ImportError:
        return None
    loaded = tokenizers.Tokenizer.from_str(tokenizer_json)

    def encode(text: str) -> list[int]:
        ids: list[int] = loaded.encode(text, add_special_tokens=False).ids
        return ids

    return _Peer(f"tokenizers {tokenizers.__version__}", encode)
