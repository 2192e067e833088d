"""What there is in a corpus, counted in pieces: a text of any size fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from grader import catalog, library
from grader.corpus import SPECIAL, megabytes

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of one text, and those that are published for it."""

    name: str
    path: Path
    bytes: int
    lines: int  # line ends
    special_tokens: int  # of the one that ends a document
    documents: int  # between them, the empty ones left out
    pretokens: int
    distinct_pretokens: int
    initial_pairs: int  # distinct pairs of bytes side by side in a pre-token
    published: Mapping[str, int]

    def counts(self) -> dict[str, int]:
        """Every count by its name, in the order to show them."""
        names = (
            "bytes", "lines", "special_tokens", "documents",
            "pretokens", "distinct_pretokens", "initial_pairs",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def differing(self) -> list[str]:
        """The names of the counts that are not the published ones."""
        return [name for name, count in self.published.items() if self.counts()[name] != count]


def measure(name: str, path: Path, said: Callable[[str], None] = lambda message: None) -> Stats:
    """Count the text at `path`, the corpus `name`; `said` hears how far it is."""
    size = path.stat().st_size
    lines, special, documents = _scan(path, lambda done: said(_share("scanned", done, size)))
    reference = catalog.reference_module(catalog.find("train_byte_bpe"))
    table = reference.count_pretokens(str(path), [SPECIAL], said)
    pairs = set(chain.from_iterable(pairwise(pretoken.encode()) for pretoken in table))
    entry = library.entries().get(name)
    published = dict(entry.counts) if entry else {}
    if entry and entry.bytes:
        published["bytes"] = entry.bytes
    return Stats(
        name, path, size, lines, special, documents,
        table.total(), len(table), len(pairs), published,
    )  # fmt: skip


def _scan(path: Path, told: Callable[[int], None]) -> tuple[int, int, int]:
    """Line ends, special tokens and documents. Holds one piece, however long a document is."""
    end = SPECIAL.encode()
    lines = special = documents = done = 0
    begun, tail = False, b""  # whether the document has text; what may begin a special token
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            done += len(piece)
            lines += piece.count(b"\n")
            *whole, rest = (tail + piece).split(end)
            for text in whole:
                documents += begun or bool(text)
                begun = False
            special += len(whole)
            kept = max(len(rest) - len(end) + 1, 0)
            begun, tail = begun or kept > 0, rest[kept:]
            told(done)
    return lines, special, documents + (begun or bool(tail))


def _share(what: str, done: int, total: int) -> str:
    return f"{what} {megabytes(done)} of {megabytes(total)}"
