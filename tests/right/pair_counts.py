"""Right solutions of `pair_counts`, each built in its own way."""

from collections import Counter, defaultdict
from functools import reduce
from itertools import chain, groupby, pairwise


def counter_of_slices(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """A Counter, the pairs as slices of the word."""
    totals = Counter()
    for word, count in words.items():
        for i in range(1, len(word)):
            totals[word[i - 1 : i + 1]] += count
    return totals


def defaultdict_by_index(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """A defaultdict, the pairs by index."""
    totals = defaultdict(int)
    for word in words:
        for i in range(len(word) - 1):
            totals[(word[i], word[i + 1])] += words[word]
    return totals


def counted_then_weighted(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """The pairs of each word are counted first, then multiplied by the word's count."""
    totals = {}
    for word, count in words.items():
        for pair, times in Counter(pairwise(word)).items():
            totals[pair] = totals.get(pair, 0) + times * count
    return totals


def sorted_and_grouped(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """All positions as (pair, count), sorted and added up group by group."""
    positions = sorted((pair, n) for word, n in words.items() for pair in pairwise(word))
    return {
        pair: sum(count for _, count in group)
        for pair, group in groupby(positions, key=lambda position: position[0])
    }


def nested_by_left_symbol(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """One table for each left symbol, flattened at the end."""
    followers = {}
    for word, count in words.items():
        previous = None
        for symbol in word:
            if previous is not None:
                row = followers.setdefault(previous, {})
                row[symbol] = row.get(symbol, 0) + count
            previous = symbol
    return {(left, right): n for left, row in followers.items() for right, n in row.items()}


def keys_before_sums(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """The set of pairs first, then one sum over the table for each pair."""
    pairs = set(chain.from_iterable(map(pairwise, words)))
    return {
        pair: sum(n * list(pairwise(word)).count(pair) for word, n in words.items())
        for pair in pairs
    }


def added_counters(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """One Counter a word, added together without a loop of its own."""
    tables = (
        Counter({pair: times * count for pair, times in Counter(pairwise(word)).items()})
        for word, count in words.items()
    )
    return dict(reduce(lambda one, other: one + other, tables, Counter()))
