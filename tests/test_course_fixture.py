"""The course's own fixture, where it lies beside the checkout: exact merges on one English file."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import catalog

COURSE = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "cs336"

pytestmark = pytest.mark.skipif(not COURSE.is_dir(), reason="the course's files are not here")


def printable_bytes() -> dict[str, int]:
    """GPT-2's printable stand-ins for bytes, as its merge files are written."""
    shown = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(0xAE, 0x100)]
    table = {chr(byte): byte for byte in shown}
    hidden = [byte for byte in range(256) if byte not in shown]
    return table | {chr(256 + n): byte for n, byte in enumerate(hidden)}


def test_the_capstone_learns_the_courses_merges() -> None:
    """`corpus.en` at 500 ids gives exactly the merges the course expects, in order."""
    table = printable_bytes()
    lines = (COURSE / "train-bpe-reference-merges.txt").read_text(encoding="utf-8").splitlines()
    expected = [
        tuple(bytes(table[sign] for sign in token) for token in line.split(" ")) for line in lines
    ]
    reference = catalog.reference_module(catalog.find("train_byte_bpe"))
    vocab, merges = reference.train_byte_bpe(str(COURSE / "corpus.en"), 500, ["<|endoftext|>"])
    assert merges == expected
    assert len(vocab) == 500
    assert vocab[256] == b"<|endoftext|>"
