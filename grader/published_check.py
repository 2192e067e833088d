"""A training beside what is published: the merges, the numbers of tokens, bytes per token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader import catalog, library, published
from grader.corpus import SPECIAL, Corpus
from grader.errors import UsageError
from grader.fetching import hashed
from grader.published import Comparison, Tokens
from grader.tokenizer import Merge, Tokenizer, compression


@dataclass(frozen=True, slots=True)
class Count:
    """One published number of tokens beside ours."""

    published: Tokens
    bytes: int | None
    tokens: int | None  # None: the text is not on this machine

    @property
    def bytes_per_token(self) -> float | None:
        return self.bytes / self.tokens if self.bytes and self.tokens else None

    @property
    def agrees(self) -> bool:
        return self.tokens in (None, self.published.tokens)


@dataclass(frozen=True, slots=True)
class Check:
    """All that could be compared."""

    corpus: str
    merges: Comparison | None  # None: only numbers of tokens are published
    leaves_with: Merge | None  # our merge at the place where the lists part
    counts: tuple[Count, ...]

    @property
    def agrees(self) -> bool:
        merges = self.merges is None or self.merges.agrees
        return merges and all(count.agrees for count in self.counts)


def subject(corpus: Corpus, said: Callable[[str], None]) -> tuple[str, int]:
    """The corpus something is published about that this text is, and the vocabulary size.

    A file by its path is recognised by its hash. Raises `UsageError` when it is none.
    """
    sizes = published.corpora()
    if corpus.name in sizes:
        return corpus.name, sizes[corpus.name]
    for name in sizes:
        entry = library.entries()[name]
        if corpus.path and corpus.size == entry.bytes:
            said(f"checking whether it is {name}")
            if hashed(corpus.path)[1] == entry.sha256:
                return name, sizes[name]
    raise UsageError(
        f"Nothing is published about {corpus.name}; give --corpus one of {', '.join(sizes)}, "
        "or the path of such a text."
    )


def check(
    name: str, path: Path, tokenizer: Tokenizer, vocab_size: int, said: Callable[[str], None]
) -> Check:
    """Compare what was trained on the text at `path`, the corpus `name`, with what is published."""
    known = published.known_merges(name)
    merges = published.compare(known, tokenizer.merges) if known else None
    leaves = tokenizer.merges[merges.agreeing] if merges and not merges.agrees else None
    counts = tuple(
        _count(each, path if each.text == name else _held(each.text), tokenizer, said)
        for each in published.known_tokens(name, vocab_size)
    )
    return Check(name, merges, leaves, counts)


def _held(name: str) -> Path | None:
    try:
        found = library.holding(name)
    except UsageError:
        return None
    return found.path if found else None


def _count(
    known: Tokens, path: Path | None, tokenizer: Tokenizer, said: Callable[[str], None]
) -> Count:
    if path is None:
        return Count(known, None, None)
    reference = catalog.reference_module(catalog.find("train_byte_bpe"))
    table = reference.count_pretokens(str(path), [SPECIAL], said)
    said(f"counting the tokens of {known.text}")
    size, special = path.stat().st_size, library.entries()[known.text].counts["special_tokens"]
    return Count(known, size, compression(tokenizer, table, special, size).tokens())
