"""Encode: a look-up for each pre-token, driven from C, and Python only for what is new.

A dictionary with `__missing__` needs no question whether it knows a key: `map` calls its
`__getitem__`, `chain` strings the answers together, and neither comes back to Python before a
pre-token turns up that was not there before.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from reference.record.blocks import any_special
from reference.record.split import pieces, split
from reference.record.words import Pair, merge_word, number_pairs

Ids = tuple[int, ...]

ENTRIES = 1 << 18  # pre-tokens to remember
LONGEST = 64  # bytes of a pre-token that is worth remembering


class Encoder:
    """Turns text into the ids of a vocabulary, by the merges it was trained with.

    `vocab` maps ids to tokens and `merges` are in the order they were learned, as `train`
    returns them; ids in another order are as good. The merges must be such as training
    produces: then a pre-token that is a token becomes that token. A special token in a text
    becomes its id; where several begin at one place, the longest counts.

    Raises `ValueError` if a token that is needed has no id.
    """

    def __init__(
        self,
        vocab: dict[int, bytes],
        merges: list[tuple[bytes, bytes]],
        special_tokens: list[str],
    ) -> None:
        self._specials = special_ids(vocab, special_tokens)
        ids = token_ids(vocab, merges, set(self._specials.values()))
        self._known = Known(number_pairs(merges), ids)
        self._any_special = re.compile(b"(" + any_special(special_tokens).pattern + b")")

    def encode(self, text: str) -> list[int]:
        """The ids of a text. Raises `UnicodeEncodeError` if it holds half a surrogate pair."""
        return self._encode_valid(text.encode())

    def encode_bytes(self, text: bytes) -> list[int]:
        """The ids of a text in UTF-8. Bytes that are not valid are ignored, as in training."""
        return self._encode_valid(text.decode(errors="ignore").encode())

    def _encode_valid(self, text: bytes) -> list[int]:
        return list(chain.from_iterable(chain.from_iterable(self._parts(text))))

    def _parts(self, text: bytes) -> Iterator[Iterable[Ids]]:
        """Documents and the special tokens between them, each as the ids of its pre-tokens."""
        documents = iter(self._any_special.split(text))
        yield map(self._known.__getitem__, pieces(next(documents)))
        for special in documents:
            yield [(self._specials[special],)]
            yield map(self._known.__getitem__, pieces(next(documents)))


class Known(dict[bytes, Ids]):
    """The ids of pre-tokens and of stretches. When it is full, it starts anew."""

    def __init__(self, pairs: dict[Pair, int], ids: dict[bytes, int]) -> None:
        self.pairs, self.token_ids = pairs, ids
        self.numbered = list(ids.values())  # by their numbers in `words`

    def __missing__(self, piece: bytes) -> Ids:
        ids = self.encode(piece)
        if len(piece) <= LONGEST:
            if len(self) >= ENTRIES:
                self.clear()
            self[piece] = ids
        return ids

    def encode(self, piece: bytes) -> Ids:
        """The ids of a piece that is new."""
        if piece in self.token_ids:
            return (self.token_ids[piece],)
        if not piece.isascii() and len(pretokens := split(piece.decode())) > 1:
            return tuple(chain.from_iterable([self[pretoken.encode()] for pretoken in pretokens]))
        return tuple(map(self.numbered.__getitem__, merge_word(piece, self.pairs)))


def special_ids(vocab: dict[int, bytes], special_tokens: list[str]) -> dict[bytes, int]:
    """The special tokens with their ids."""
    by_token = {token: number for number, token in vocab.items()}
    ids = {}
    for number, special in enumerate(special_tokens, 256):
        token = special.encode()
        if token not in by_token:
            raise ValueError(f"the special token {special!r} is not in the vocabulary")
        # One that is also a byte or a merge has a second id; its own is where `train` puts it.
        ids[token] = number if vocab.get(number) == token else by_token[token]
    return ids


def token_ids(
    vocab: dict[int, bytes], merges: list[tuple[bytes, bytes]], taken: set[int]
) -> dict[bytes, int]:
    """The ids of the bytes, then those of the merges, in their order."""
    by_token = {token: number for number, token in vocab.items() if number not in taken}
    tokens = [bytes([value]) for value in range(256)]
    tokens += [left + right for left, right in merges]
    for token in tokens:
        if token not in by_token:
            raise ValueError(f"the token {token!r} is not in the vocabulary")
    return {token: by_token[token] for token in tokens}
