"""The record's splitter against the plain pattern, on as many random documents as you like.

    python benchmarks/splitter_fuzz.py [--documents 1800000] [--seed 1]

Takes every code point in six contexts first. Stops at the first difference, with exit code 1,
and shows it. The documents are made of what the pattern tells apart: every kind of white space,
letters, numbers and marks of ASCII and others, contractions and what looks like one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random

import regex

from reference.record.split import pieces, split

PLAIN = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
CONTEXTS = ("{}", "a{}b", " {} ", "7{}\n", "!{}'s", "\n {}{}  x")
MADE_OF = [
    *" \n\t\r\x0b\x0c\x1c\x1f\x85\xa0", "\u1680", "\u2000", "\u200a", "\u2028", "\u2029",
    "\u202f", "\u205f", "\u3000", *"   \n\n", "'", "s", "ll", "'s", "'re", "'ve", "a", "b", "Z",
    "word", "7", "42", ".", "!", "\u2019s", "\u00e9", "e\u0301", "\u4f60", "\u0434\u0430",
    "\u00bd", "\u0663", "\u2167", "\u201c", "\u200b", "\u180e", "\ufeff", "\U0001f642", "\0",
]  # fmt: skip


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--documents", type=int, default=1_800_000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    count = 0
    for texts in (characters(), documents(given.documents, Random(given.seed))):
        for text in texts:
            count += 1
            if found(text) != PLAIN.findall(text):
                print(f"{text!r}\n  plain  {PLAIN.findall(text)}\n  record {found(text)}")
                return 1
    print(f"{count:,} documents, no difference (regex {regex.__version__})")
    return 0


def characters() -> Iterator[str]:
    """Every code point in every context."""
    for context in CONTEXTS:
        for code in range(0x110000):
            if not 0xD800 <= code < 0xE000:
                yield context.format(*[chr(code)] * 2)


def documents(count: int, random: Random) -> Iterator[str]:
    """Short documents, in which everything stands beside everything."""
    for _ in range(count):
        yield "".join(random.choices(MADE_OF, k=random.randint(1, 14)))


def found(text: str) -> list[str]:
    """The pre-tokens the way the record finds them."""
    pretokens = []
    for piece in pieces(text.encode()):
        pretokens += [piece.decode()] if piece.isascii() else split(piece.decode())
    return pretokens


if __name__ == "__main__":
    sys.exit(main())
