"""Read it all, and look through all distinct words at each merge.

The counts of the pairs are kept, so this is not the slowest right version: that one counts
every pair again before each merge, and is too slow to be run beside anything.
"""

from collections import Counter
from itertools import pairwise

import regex

PRETOKEN = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open(input_path, encoding="utf-8", errors="ignore", newline="") as file:
        text = file.read()
    pieces = [text]
    if special_tokens:
        longest_first = sorted(special_tokens, key=len, reverse=True)
        pieces = regex.split("|".join(map(regex.escape, longest_first)), text)
    counts = Counter(word for piece in pieces for word in PRETOKEN.findall(piece))
    words = [[bytes([byte]) for byte in word.encode()] for word in counts]
    merges = _merges(words, list(counts.values()), vocab_size - 256 - len(special_tokens))
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [special.encode() for special in special_tokens]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens)), merges


def _merges(words, counts, room):
    totals = Counter()
    for symbols, count in zip(words, counts, strict=True):
        for pair in pairwise(symbols):
            totals[pair] += count
    merges = []
    while len(merges) < room and totals:
        best = max(totals, key=lambda pair: (totals[pair], pair))
        merges.append(best)
        for i, symbols in enumerate(words):
            if best[0] not in symbols or best not in pairwise(symbols):
                continue
            words[i] = _merged(symbols, best)
            for pair in pairwise(symbols):
                totals[pair] -= counts[i]
                if not totals[pair]:
                    del totals[pair]
            for pair in pairwise(words[i]):
                totals[pair] += counts[i]
    return merges


def _merged(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged
