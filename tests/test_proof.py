"""Merges are replayed: right ones are called right, wrong ones wrong, and rules by their names."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from grader import proof

Pair = tuple[bytes, bytes]


def words(seed: int) -> dict[str, int]:
    """Two letters and few counts: nearly every choice is a tie."""
    draw = random.Random(seed)
    made = ("".join(draw.choices("ab\u00e9", k=draw.randint(2, 7))) for _ in range(12))
    return {word: draw.randint(1, 2) for word in made}


def trained(
    table: dict[str, int], choose: Callable[[list[Pair], dict[bytes, int]], Pair], least: int = 1
) -> list[Pair]:
    """Merges of a trainer that takes any pair of the highest count, or of `least` of it."""
    state = [([bytes([b]) for b in word.encode()], count) for word, count in table.items()]
    ids = {bytes([b]): b for b in range(256)}
    merges: list[Pair] = []
    for _ in range(12):
        totals: Counter[Pair] = Counter()
        for symbols, count in state:
            for pair in pairwise(symbols):
                totals[pair] += count
        if not totals:
            break
        highest = max(totals.values())
        best = choose([pair for pair, n in totals.items() if n == highest], ids)
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        state = [(merged(symbols, best), count) for symbols, count in state]
    return merges


def merged(symbols: list[bytes], pair: Pair) -> list[bytes]:
    out: list[bytes] = []
    while symbols:
        width = 2 if tuple(symbols[:2]) == pair else 1
        out.append(b"".join(symbols[:width]))
        symbols = symbols[width:]
    return out


RULES: dict[str, Callable[[list[Pair], dict[bytes, int]], Pair]] = {
    "the greatest bytes": lambda tied, ids: max(tied),
    "the smallest bytes": lambda tied, ids: min(tied),
    "the lowest ids": lambda tied, ids: min(tied, key=lambda p: (ids[p[0]], ids[p[1]])),
    "the highest ids": lambda tied, ids: max(tied, key=lambda p: (ids[p[0]], ids[p[1]])),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_fits_what_it_trained(rule: str) -> None:
    """All merges are right, and the rule explains each tie."""
    for seed in range(20):
        table = words(seed)
        found = proof.examine(table, trained(table, RULES[rule]))
        assert found.wrong_at is None
        assert found.rule[1] == found.ties


def test_another_rule_does_not_fit() -> None:
    """Over many tables each rule is named for its own merges and for no others."""
    for rule, choose in RULES.items():
        named: Counter[str] = Counter()
        for seed in range(20):
            table = words(seed)
            found = proof.examine(table, trained(table, choose))
            named[found.rule[0]] += found.rule[1] == found.ties
        assert named.most_common(1)[0][0] == rule


def test_a_pair_that_is_outnumbered_is_found() -> None:
    """At the place where it was taken."""
    table = {"ab": 3, "cd": 2}
    right = [(b"a", b"b"), (b"c", b"d")]
    assert proof.examine(table, right).wrong_at is None
    assert proof.examine(table, right[::-1]).wrong_at == 0
    assert proof.examine(table, [*right, (b"a", b"b")]).wrong_at == 2


def test_pairs_are_recovered_from_tokens() -> None:
    """A trainer that tells its tokens only has told its merges."""
    for seed in range(20):
        merges = trained(words(seed), RULES["the greatest bytes"])
        assert proof.recovered([left + right for left, right in merges]) == merges


def test_tokens_no_merge_makes_are_not_recovered() -> None:
    """Three bytes of which no two were merged before."""
    assert proof.recovered([b"abc"]) is None
