"""A trained tokenizer: its ids, and the encoder that replays its merges by rank.

Plain on purpose: what it says about a training must not depend on anything clever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from grader import catalog
from grader.corpus import PATTERN

Merge = tuple[bytes, bytes]
_BYTES = 256
_CACHED = 1 << 16  # pre-tokens
_LONG = 400  # bytes of a pre-token; looking at all pairs of it again and again would take long


@dataclass(frozen=True)
class Tokenizer:
    """What a training gives: `merges` in the order learned, `special_tokens` as they were given."""

    vocab: Mapping[int, bytes]
    merges: Sequence[Merge]
    special_tokens: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.vocab)

    def problem(self, vocab_size: int) -> str | None:
        """What is wrong with the vocab or the merges, as a sentence; None when they fit."""
        expected = [bytes([value]) for value in range(_BYTES)]
        expected += [special.encode() for special in self.special_tokens]
        expected += [left + right for left, right in self.merges]
        if len(expected) > vocab_size:
            room = vocab_size - _BYTES - len(self.special_tokens)
            return f"there are {len(self.merges):,} merges where {room:,} have room"
        if len(self.vocab) != len(expected):
            return f"the vocab has {len(self.vocab):,} ids where {len(expected):,} are due"
        for index, token in enumerate(expected):
            if self.vocab.get(index) != token:
                return f"the vocab has {self.vocab.get(index)!r} at {index} where {token!r} is due"
        known = set(expected[:_BYTES])
        for rank, pair in enumerate(self.merges):
            if not known.issuperset(pair):
                return f"merge {rank} joins {pair!r}, and there is no such token yet"
            known.add(pair[0] + pair[1])
        return None

    @cached_property
    def ranks(self) -> dict[Merge, int]:
        return {pair: rank for rank, pair in enumerate(self.merges)}

    @cached_property
    def ids(self) -> dict[bytes, int]:
        """The id of each token, specials apart."""
        first = _BYTES + len(self.special_tokens)
        merged = {left + right: first + rank for rank, (left, right) in enumerate(self.merges)}
        return merged | {bytes([value]): value for value in range(_BYTES)}

    @cached_property
    def _seen(self) -> dict[str, list[int]]:
        return {}

    def encode(self, text: str) -> list[int]:
        """The ids of a text; special tokens in it become their own."""
        import regex

        found: list[int] = []
        split = regex.compile(PATTERN).findall
        for piece in self.cut(text):
            if piece in self.special_tokens:
                found.append(_BYTES + self.special_tokens.index(piece))
                continue
            for pretoken in split(piece):
                found += self._ids_of(pretoken)
        return found

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids; bytes that are no text become U+FFFD."""
        return b"".join(self.vocab[number] for number in ids).decode("utf-8", "replace")

    def cut(self, text: str) -> list[str]:
        """A text in pieces: special tokens, longest first, and what lies between them."""
        import regex

        if not self.special_tokens:
            return [text]
        longest_first = sorted(self.special_tokens, key=len, reverse=True)
        either = "|".join(map(regex.escape, longest_first))
        return [piece for piece in regex.split(f"({either})", text) if piece]

    def segment(self, word: bytes) -> list[bytes]:
        """The tokens of one pre-token."""
        return self._segment_long(word) if len(word) > _LONG else self._segment_short(word)

    def _segment_short(self, word: bytes) -> list[bytes]:
        symbols = [bytes([value]) for value in word]
        ranks, none = self.ranks, len(self.merges)
        while len(symbols) > 1:
            rank, pair = min((ranks.get(pair, none), pair) for pair in pairwise(symbols))
            if rank == none:
                break
            symbols = _merged(symbols, pair)
        return symbols

    def _segment_long(self, word: bytes) -> list[bytes]:
        """The encoder kata's reference: it first looks at all merges, but does not grow with n²."""
        encode = catalog.reference_module(catalog.find("encode_bpe")).encode_bpe
        symbols = encode(word.decode("latin-1"), self._characters)
        return [symbol.encode("latin-1") for symbol in symbols]

    @cached_property
    def _characters(self) -> list[tuple[str, str]]:
        """The merges with a character for each byte."""
        return [(left.decode("latin-1"), right.decode("latin-1")) for left, right in self.merges]

    def _ids_of(self, pretoken: str) -> list[int]:
        if pretoken not in self._seen:
            if len(self._seen) >= _CACHED:
                self._seen.clear()
            tokens = self.segment(pretoken.encode())
            self._seen[pretoken] = [self.ids[token] for token in tokens]
        return self._seen[pretoken]

    def counts(self, text: str) -> tuple[Counter[str], int]:
        """The distinct pre-tokens of a text with their counts, and how many special tokens."""
        import regex

        split, table, special = regex.compile(PATTERN).findall, Counter[str](), 0
        for piece in self.cut(text):
            if piece in self.special_tokens:
                special += 1
            else:
                table.update(split(piece))
        return table, special


def _merged(symbols: list[bytes], pair: Merge) -> list[bytes]:
    """The symbols with this pair joined wherever it stands, from left to right."""
    merged, at = [], 0
    while at < len(symbols):
        if at + 1 < len(symbols) and (symbols[at], symbols[at + 1]) == pair:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return merged


@dataclass(frozen=True, slots=True)
class Compression:
    """How many tokens a text has, by the number of merges that are used."""

    bytes: int
    unmerged: int  # tokens without any merge, special tokens among them
    saved: tuple[int, ...]  # tokens saved by each merge, by its rank

    def tokens(self, merges: int | None = None) -> int:
        """Tokens with the first `merges` merges, or with all."""
        return self.unmerged - sum(self.saved[:merges])

    def bytes_per_token(self, merges: int | None = None) -> float:
        return self.bytes / max(self.tokens(merges), 1)


def compression(
    tokenizer: Tokenizer, table: Mapping[str, int], special: int, size: int
) -> Compression:
    """The tokens of a text of `size` bytes, from its pre-tokens and its number of specials.

    A token is always made by the same merges, and merges wait for none that came later. So
    each token of the text is taken apart again, the youngest first, and every merge counted.
    """
    counts: Counter[bytes] = Counter()
    unmerged = special
    for pretoken, count in table.items():
        word = pretoken.encode()
        unmerged += len(word) * count
        for token in tokenizer.segment(word):
            counts[token] += count
    saved = [0] * len(tokenizer.merges)
    for rank, (left, right) in reversed(list(enumerate(tokenizer.merges))):
        saved[rank] = count = counts.pop(left + right, 0)
        counts[left] += count
        counts[right] += count
    return Compression(size, unmerged, tuple(saved))


def sizes(tokenizer: Tokenizer) -> Iterator[int]:
    """Vocabulary sizes for a curve: powers of two, and the last."""
    least = _BYTES + len(tokenizer.special_tokens)
    size = 2 * _BYTES
    while size < tokenizer.size:
        if size > least:
            yield size
        size *= 2
    yield tokenizer.size
