"""What a timing of the capstone runs: a corpus, larger and larger parts of it, and its stages."""

from __future__ import annotations

from grader.corpus import SPECIAL, Corpus, megabytes, read
from grader.model import Call
from grader.slots import Axis, Workload

BLOCK = 100_000  # bytes of a part of a corpus, about
VOCAB = 1_000
AXIS_BYTES = 1 << 20  # of the corpus, for the calls of growing size
LEAST_BYTES = 32_000
STAGED_BYTES = 1_000_000
ONE, MANY = 1, VOCAB - 256 - 1  # merges


def train_byte_bpe(corpus: Corpus) -> Workload:
    """The corpus itself: whole where somebody named a file, else as much as fits."""
    if corpus.path is not None:
        call = Call("train_byte_bpe", (corpus.path, VOCAB, [SPECIAL]))
        text = f"{megabytes(corpus.size)}, to a vocab of {VOCAB:,}"
        return Workload(
            corpus.name,
            1,
            lambda start, size: [call],
            lambda size: text,
            whole=True,
            axes=_axes(corpus),
            stages=lambda: _stages(corpus),
        )
    blocks = _blocks(read(corpus))

    def slot(start: int, size: int) -> list[Call]:
        data = b"".join(blocks[(start + i) % len(blocks)] for i in range(size))
        return [Call("train_byte_bpe", (data, VOCAB, [SPECIAL]))]

    def describe(size: int) -> str:
        part = megabytes(corpus.size * size // len(blocks))
        whole = megabytes(corpus.size)
        head = whole if size >= len(blocks) else f"{part} of {whole}"
        return f"{head}, to a vocab of {VOCAB:,}"

    return Workload(
        corpus.name,
        len(blocks),
        slot,
        describe,
        whole=True,
        axes=_axes(corpus),
        stages=lambda: _stages(corpus),
    )


def _axes(corpus: Corpus) -> tuple[Axis, ...]:
    data = read(corpus, AXIS_BYTES)

    def grown(size: int, merges: int, variant: int) -> list[Call]:
        start = variant * LEAST_BYTES % max(len(data) - size, 1)
        vocab_size = 256 + 1 + merges
        return [Call("train_byte_bpe", (data[start : start + size], vocab_size, [SPECIAL]))]

    return (
        Axis("bytes in the file", LEAST_BYTES, len(data), lambda n, k: grown(n, MANY, k), True),
        Axis("merges to learn", 50, 800, lambda n, k: grown(4 * LEAST_BYTES, n, k), True),
    )


def _stages(corpus: Corpus) -> tuple[tuple[str, Call], ...]:
    """Files of one size, of which each asks for one stage more.

    One long special token, again and again, is read and cut. A few words, again and again, are
    split, too. The text itself has its distinct words counted, and their pairs. With one merge
    there is next to no merging. (With none, a trainer may return without reading.)
    """
    text = read(corpus, STAGED_BYTES)
    special = "<|" + "x" * 996 + "|>"
    few = text[:2_000].decode("utf-8", "ignore").encode()
    files = {
        "read": (special.encode() * (len(text) // len(special)), special, ONE),
        "split": (few * (len(text) // len(few)), SPECIAL, ONE),
        "count": (text, SPECIAL, ONE),
        "merge": (text, SPECIAL, MANY),
    }
    return tuple(
        (name, Call("train_byte_bpe", (data, 256 + 1 + merges, [special])))
        for name, (data, special, merges) in files.items()
    )


def _blocks(data: bytes) -> list[bytes]:
    """The corpus in parts of about `BLOCK` bytes, cut behind a special token."""
    blocks, start, special = [], 0, SPECIAL.encode()
    while start < len(data):
        found = data.find(special, start + BLOCK)
        end = len(data) if found < 0 else found + len(special)
        blocks.append(data[start:end])
        start = end
    return blocks
