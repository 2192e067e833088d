"""Right solutions of `train_bpe`, each built another way; all of them must pass."""

import re
from bisect import insort
from collections import Counter, defaultdict
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise


def _merge(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        width = 2 if tuple(symbols[i : i + 2]) == pair else 1
        merged.append("".join(symbols[i : i + width]))
        i += width
    return merged


def naive_recount(word_counts, num_merges):
    """Counts all words again in every round."""
    words = {word: tuple(word) for word in word_counts}
    merges = []
    for _ in range(num_merges):
        totals = Counter()
        for word, symbols in words.items():
            for pair in pairwise(symbols):
                totals[pair] += word_counts[word]
        if not totals:
            return merges
        highest = max(totals.values())
        merges.append(min(pair for pair, n in totals.items() if n == highest))
        words = {word: tuple(_merge(symbols, merges[-1])) for word, symbols in words.items()}
    return merges


def maximum_of_kept_counts(word_counts, num_merges):
    """Keeps the counts, recounting only the words a merge touches, and scans them for the best."""
    words, counts = list(map(list, word_counts)), list(word_counts.values())
    stats, where = Counter(), defaultdict(set)
    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            stats[pair] += counts[i]
            where[pair].add(i)
    merges = []
    while len(merges) < num_merges and stats:
        best = min(stats, key=lambda pair: (-stats[pair], pair))
        merges.append(best)
        for i in where.pop(best):
            for pair in pairwise(words[i]):
                stats[pair] -= counts[i]
            words[i] = _merge(words[i], best)
            for pair in pairwise(words[i]):
                stats[pair] += counts[i]
                where[pair].add(i)
        stats = Counter({pair: n for pair, n in stats.items() if n})
    return merges


def lazy_heap(word_counts, num_merges):
    """Pushes an entry for every count that changes and skips the entries that are out of date."""
    words, counts = [list(word) for word in word_counts], list(word_counts.values())
    stats, where = defaultdict(int), defaultdict(set)
    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            stats[pair] += counts[i]
            where[pair].add(i)
    heap = [(-n, pair) for pair, n in stats.items()]
    heapify(heap)
    merges = []
    while heap and len(merges) < num_merges:
        n, best = heappop(heap)
        if n == 0 or stats[best] != -n:
            continue
        merges.append(best)
        touched = set()
        for i in where[best]:
            before, after = words[i], _merge(words[i], best)
            words[i] = after
            for symbols, sign in ((before, -1), (after, 1)):
                for pair in pairwise(symbols):
                    stats[pair] += sign * counts[i]
                    touched.add(pair)
            for pair in pairwise(after):
                where[pair].add(i)
        for pair in touched:
            heappush(heap, (-stats[pair], pair))
    return merges


def sorted_buckets(word_counts, num_merges):
    """Keeps a sorted list of pairs for every count and a sorted list of the counts in use."""
    words, counts = [list(word) for word in word_counts], list(word_counts.values())
    stats, where, buckets, in_use = {}, defaultdict(set), {}, []

    def book(pair, change):
        old = stats.get(pair, 0)
        new = stats[pair] = old + change
        if old:
            buckets[old].remove(pair)
        if new:
            if new not in buckets:
                buckets[new] = []
                insort(in_use, new)
            insort(buckets[new], pair)

    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            book(pair, counts[i])
            where[pair].add(i)
    merges = []
    while len(merges) < num_merges:
        while in_use and not buckets[in_use[-1]]:
            del buckets[in_use.pop()]
        if not in_use:
            break
        best = buckets[in_use[-1]][0]
        merges.append(best)
        change = Counter()
        for i in where.pop(best):
            for pair in pairwise(words[i]):
                change[pair] -= counts[i]
            words[i] = _merge(words[i], best)
            for pair in pairwise(words[i]):
                change[pair] += counts[i]
                where[pair].add(i)
        for pair, n in change.items():
            if n:
                book(pair, n)
    return merges


def integer_ids(word_counts, num_merges):
    """Works on numbered symbols and spells them only to settle ties and to answer."""
    spelled = sorted({character for word in word_counts for character in word})
    number = {character: i for i, character in enumerate(spelled)}
    words = [([number[character] for character in word], n) for word, n in word_counts.items()]
    merges = []
    while len(merges) < num_merges:
        stats = {}
        for ids, n in words:
            for pair in pairwise(ids):
                stats[pair] = stats.get(pair, 0) + n
        if not stats:
            break
        best = min(stats, key=lambda ab: (-stats[ab], spelled[ab[0]], spelled[ab[1]]))
        merges.append((spelled[best[0]], spelled[best[1]]))
        spelled.append("".join(merges[-1]))
        new = len(spelled) - 1
        for ids, _ in words:
            i = 0
            while i < len(ids) - 1:
                if (ids[i], ids[i + 1]) == best:
                    ids[i : i + 2] = [new]
                i += 1
    return merges


@dataclass(eq=False, slots=True)
class _Node:
    """One symbol of a linked word."""

    text: str
    count: int
    before: object = None
    after: object = None
    dead: bool = False


def linked_list(word_counts, num_merges):
    """Links the symbols of a word and books every single position of a pair."""
    places = defaultdict(dict)  # pair -> its left nodes, in the order of the text
    stats = Counter()
    order = {}

    def book(node):
        pair = (node.text, node.after.text)
        stats[pair] += node.count
        places[pair][node] = None

    def unbook(node):
        pair = (node.text, node.after.text)
        stats[pair] -= node.count
        del places[pair][node]

    for word, count in word_counts.items():
        nodes = [_Node(character, count) for character in word]
        for left, right in pairwise(nodes):
            left.after, right.before = right, left
            book(left)
        for node in nodes:
            order[node] = len(order)
    merges = []
    while len(merges) < num_merges:
        alive = [(-n, pair) for pair, n in stats.items() if n > 0]
        if not alive:
            break
        best = min(alive)[1]
        merges.append(best)
        for node in sorted(places[best], key=order.__getitem__):
            if node.dead or node not in places[best]:
                continue
            gone = node.after
            unbook(node)
            if node.before:
                unbook(node.before)
            if gone.after:
                unbook(gone)
            node.text += gone.text
            node.after, gone.dead = gone.after, True
            if node.after:
                node.after.before = node
                book(node)
            if node.before:
                book(node.before)
    return merges


def separated_text(word_counts, num_merges):
    """Keeps each word as text between separators and merges with a regular expression."""
    mark = "\x00"
    words = {word: mark + "".join(character + mark for character in word) for word in word_counts}
    merges = []
    while len(merges) < num_merges:
        stats = defaultdict(int)
        for word, text in words.items():
            for pair in pairwise(text[1:-1].split(mark)):
                stats[pair] += word_counts[word]
        if not stats:
            break
        best = min(stats.items(), key=lambda item: (-item[1], item[0]))[0]
        merges.append(best)
        left, right = map(re.escape, best)
        found = re.compile(f"(?<={mark}){left}{mark}{right}(?={mark})")
        joined = "".join(best)
        words = {word: found.sub(lambda _, new=joined: new, text) for word, text in words.items()}
    return merges
