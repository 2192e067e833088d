"""Every checked follow-up with the reference, and those of slow answers that must fail.

    python benchmarks/ladder.py [KATA]...

Prints what each check said and how long it took. Exit code 1 if one said the wrong thing.
"""

from __future__ import annotations

import hashlib
import sys
import time

from grader import catalog, submission
from grader.interview import ladder
from grader.model import Kata, Rung, Submission

#: Right answers that are too slow or too large for a rung.
SLOW = {
    ("pair_counts", "long-word"): """
def pair_counts(words):
    totals = {}
    for word, count in words.items():
        while len(word) > 1:
            totals[word[:2]] = totals.get(word[:2], 0) + count
            word = word[1:]
    return totals
""",
    ("pair_counts", "speed"): """
from collections import Counter
def pair_counts(words):
    totals = Counter()
    for word, count in words.items():
        for i in range(len(word) - 1):
            totals.update({word[i : i + 2]: count})
    return dict(totals)
""",
    ("merge_pair", "long-word"): """
def merge_pair(symbols, pair):
    row, i = list(symbols), 0
    while i < len(row) - 1:
        if (row[i], row[i + 1]) == pair:
            row[i : i + 2] = [pair[0] + pair[1]]
        i += 1
    return tuple(row)
""",
}
#: Known mistakes that are only slow.
MISTAKES = {
    ("encode_bpe", "one-letter"): "scans_after_every_merge",
    ("encode_bpe", "random-letters"): "scans_after_every_merge",
    ("train_bpe", "incremental"): "recounts_everything",
    ("train_bpe", "five-megabytes"): "recounts_everything",
    ("train_byte_bpe", "long-pretoken"): "long_pretoken_quadratic",
    ("train_byte_bpe", "five-megabytes"): "recounts_every_word",
}


def answers(kata: Kata, rung: Rung) -> list[tuple[str, Submission, bool]]:
    """What to look at: a name, the submission, and whether it should pass."""
    kind, _, argument = (rung.check or "").partition(":")
    found = [("reference", submission.load(kata, "reference"), kind != "variant")]
    if kind == "variant":
        found.append((argument, submission.load(kata, f"mistake:{argument}"), True))
    if source := SLOW.get((kata.name, rung.id)):
        data = source.encode()
        found.append(("slow", Submission("slow.py", data, hashlib.sha256(data).hexdigest()), False))
    if name := MISTAKES.get((kata.name, rung.id)):
        found.append((name, submission.load(kata, f"mistake:{name}"), False))
    return found


def main(names: list[str]) -> int:
    wrong = 0
    for kata in catalog.all_katas():
        for rung in kata.follow_ups:
            if rung.check is None or (names and kata.name not in names):
                continue
            for name, source, due in answers(kata, rung):
                begin = time.monotonic()
                result = ladder.check(kata, rung, source, seed=1)
                seconds = time.monotonic() - begin
                sign = "ok" if result.passed is due else "WRONG"
                wrong += result.passed is not due
                print(f"{sign:6}{kata.name:17}{rung.id:16}{name:24}{seconds:5.1f} s  {result.text}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
