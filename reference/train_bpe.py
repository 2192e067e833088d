"""Count once, then keep the counts right: a merge visits only the words that hold its pair.

`stats` has the count of every pair, `where` the words it was seen in, and a heap offers the
best pair. `(-count, pair)` sorts exactly as the rule asks: highest count, then smallest pair.
"""

from collections import defaultdict
from heapq import heapify, heappop, heappush
from itertools import pairwise


def train_bpe(word_counts: dict[str, int], num_merges: int) -> list[tuple[str, str]]:
    """Learn up to `num_merges` merges from a table of words and their counts.

    `word_counts` maps each word, a non-empty string, to how often it occurs. Every word
    starts as a sequence of its characters. These, and what they are merged into, are called
    symbols; two symbols side by side in one word are a pair. Then, in each round:

    1. Count every pair over all words. Every position counts, overlaps included, and counts
       as many times as its word occurs: in {"aaa": 2} the pair ("a", "a") has the count 4.
    2. Pick the pair with the highest count. If several share it, pick the smallest of them in
       Python's order of tuples: ("a", "b") goes before ("aa", "a"), ("e", "t") before
       ("eat", "s").
    3. Add the pair to the result and merge it in every word, from left to right and without
       overlaps: its two symbols become one, their concatenation. Merging ("a", "a") turns
       a a a into aa a. A symbol made in this round is not merged again in this round.

    Stop after `num_merges` rounds, or as soon as no word has two symbols left. There is no
    other reason to stop: a pair that occurs only once is still merged. Return the merges in
    the order they were learned, a list of tuples of two strings.

    - A pair lies within one word, never across two.
    - Symbols are compared whole. The word xa b, of the symbols "xa" and "b", does not hold the
      pair ("a", "b").
    - Counts are positive integers and may be huge; keep them exact.
    - Words may hold any character. A character is one code point of the string.
    - `num_merges` is zero or more. With zero merges, with an empty table, or with words of one
      character only, the result is [].
    - The order of the dict and PYTHONHASHSEED make no difference to the result.
    - `word_counts` is left as it was.

    >>> table = {"tea": 6, "teas": 2, "eat": 5, "eats": 3, "seat": 4, "set": 3}
    >>> train_bpe(table, 4)
    [('e', 'a'), ('ea', 't'), ('t', 'ea'), ('s', 'eat')]
    >>> train_bpe(table, 100)[4:]  # rounds 5 and 6 are ties; after round 8 nothing is left
    [('e', 't'), ('eat', 's'), ('s', 'et'), ('tea', 's')]
    >>> train_bpe({"aaabdaaabac": 1}, 3)
    [('a', 'a'), ('a', 'b'), ('aa', 'ab')]
    """
    words = [list(word) for word in word_counts]
    counts = list(word_counts.values())
    stats, where = _index(words, counts)
    heap = [(-count, pair) for pair, count in stats.items()]
    heapify(heap)
    merges = []
    while len(merges) < num_merges and (best := _pop_best(heap, stats)):
        merges.append(best)
        risen = set()
        for i in where.pop(best):
            words[i], lost, gained = _merge(words[i], best)
            for pair in lost:
                stats[pair] -= counts[i]
            for pair in gained:
                stats[pair] += counts[i]
                where[pair].add(i)
            risen.update(gained)
        for pair in risen:
            heappush(heap, (-stats[pair], pair))
    return merges


def _index(words, counts):
    """Every pair's count, and the set of the words that hold it."""
    stats, where = defaultdict(int), defaultdict(set)
    for i, (symbols, count) in enumerate(zip(words, counts, strict=True)):
        for pair in pairwise(symbols):
            stats[pair] += count
            where[pair].add(i)
    return stats, where


def _pop_best(heap, stats):
    """The best pair, or None when no pair is left.

    A count that fell was not pushed, so an entry may promise too much, never too little.
    Such an entry goes back with its true count; the first honest one is the best.
    """
    while heap:
        promised, pair = heappop(heap)
        count = stats[pair]
        if count == 0:
            continue
        if count == -promised:
            return pair
        heappush(heap, (-count, pair))
    return None


def _merge(symbols, pair):
    """The word after the merge, and the pairs it lost and gained on the way.

    One merge changes three pairs: itself and the two it makes with its neighbours. The left
    neighbour is read from the new word, where it may already be a symbol just made.
    """
    left, right = pair
    joined = left + right
    merged, lost, gained = [], [], []
    i, end = 0, len(symbols)
    while i < end:
        if symbols[i] == left and i + 1 < end and symbols[i + 1] == right:
            i += 2
            lost.append(pair)
            if merged:
                lost.append((merged[-1], left))
                gained.append((merged[-1], joined))
            if i < end:
                lost.append((right, symbols[i]))
                gained.append((joined, symbols[i]))
            merged.append(joined)
        else:
            merged.append(symbols[i])
            i += 1
    return merged, lost, gained
