"""Right solutions of `encode_bpe`, each built in its own way."""

import heapq
from itertools import pairwise


def one_place_at_a_time(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """The statement word for word: lowest rank, leftmost place, one merge."""
    ranks = {pair: i for i, pair in enumerate(merges)}
    parts = list(word)
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(pairwise(parts)) if pair in ranks]
        if not found:
            return parts
        _, i = min(found)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


def all_places_each_round(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """All places of the lowest rank in one pass, then the next round."""
    ranks = {pair: i for i, pair in enumerate(merges)}
    parts = list(word)
    while len(parts) > 1:
        best = min(set(pairwise(parts)), key=lambda pair: ranks.get(pair, float("inf")))
        if best not in ranks:
            break
        merged, i = [], 0
        while i < len(parts):
            if i < len(parts) - 1 and (parts[i], parts[i + 1]) == best:
                merged.append(parts[i] + parts[i + 1])
                i += 2
            else:
                merged.append(parts[i])
                i += 1
        parts = merged
    return parts


def replay_of_the_list(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Every merge in turn, as in training; no ranks at all."""
    parts = list(word)
    for left, right in merges:
        i = 0
        while i < len(parts) - 1:
            if parts[i] == left and parts[i + 1] == right:
                parts[i : i + 2] = [left + right]
            i += 1
    return parts


def rank_by_list_index(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """The rank looked up with list.index, slowly."""
    parts = list(word)
    while True:
        known = [pair for pair in pairwise(parts) if pair in merges]
        if not known:
            return parts
        best = min(known, key=merges.index)
        i = next(i for i, pair in enumerate(pairwise(parts)) if pair == best)
        parts = [*parts[:i], "".join(best), *parts[i + 2 :]]


def linked_list_and_heap(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Nodes linked in both directions and a heap of (rank, position)."""
    ranks = {pair: i for i, pair in enumerate(merges)}

    class Node:
        __slots__ = ("at", "left", "right", "text")

        def __init__(self, at, text, left):
            self.at, self.text, self.left, self.right = at, text, left, None

    heap = []

    def push(node):
        if node and node.right and (node.text, node.right.text) in ranks:
            rank = ranks[node.text, node.right.text]
            heapq.heappush(heap, (rank, node.at, id(node), node, node.right, node.right.text))

    first = last = None
    for at, character in enumerate(word):
        node = Node(at, character, last)
        if last:
            last.right = node
            push(last)
        first, last = first or node, node
    while heap:
        rank, _, _, node, other, text = heapq.heappop(heap)
        if node.text != merges[rank][0] or node.right is not other or other.text != text:
            continue
        node.text += other.text
        other.text = None
        node.right = other.right
        if node.right:
            node.right.left = node
        push(node.left)
        push(node)
    parts = []
    while first:
        parts.append(first.text)
        first = first.right
    return parts


def recursive(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Recursion: split at the best pair's place, merge, call again."""
    ranks = {pair: i for i, pair in enumerate(merges)}

    def go(parts):
        pairs = list(pairwise(parts))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)), default=None)
        if best not in ranks:
            return parts
        i = pairs.index(best)
        return go((*parts[:i], "".join(best), *parts[i + 2 :]))

    return list(go(tuple(word)))


def ids_instead_of_strings(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Symbols as numbers, merges as a table of numbers, text only at the end."""
    texts, ids = [], {}

    def intern(text):
        if text not in ids:
            ids[text] = len(texts)
            texts.append(text)
        return ids[text]

    table = {}
    for rank, (left, right) in enumerate(merges):
        table[intern(left), intern(right)] = (rank, intern(left + right))
    parts = [intern(character) for character in word]
    never = (len(merges), -1)
    while len(parts) > 1:
        rank, made = min(table.get(pair, never) for pair in pairwise(parts))
        if made < 0:
            break
        merged, i = [], 0
        while i < len(parts):
            if table.get(tuple(parts[i : i + 2]), never)[0] == rank:
                merged.append(made)
                i += 2
            else:
                merged.append(parts[i])
                i += 1
        parts = merged
    return [texts[i] for i in parts]


def patched_rank_list(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """A list of ranks beside the symbols, mended next to each merge only."""
    ranks = {pair: i for i, pair in enumerate(merges)}
    never = len(merges)
    parts = list(word)
    gaps = [ranks.get(pair, never) for pair in pairwise(parts)]
    while gaps and min(gaps) < never:
        i = gaps.index(min(gaps))
        parts[i] += parts.pop(i + 1)
        gaps.pop(i)
        for gap in (i - 1, i):
            if 0 <= gap < len(gaps):
                gaps[gap] = ranks.get((parts[gap], parts[gap + 1]), never)
    return parts


def cuts_as_offsets(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Only the borders are kept; a merge removes the border inside its pair."""
    ranks = {pair: i for i, pair in enumerate(merges)}
    cuts = list(range(len(word) + 1))
    while True:
        best = None
        for a, b, c in zip(cuts, cuts[1:], cuts[2:], strict=False):
            rank = ranks.get((word[a:b], word[b:c]))
            if rank is not None and (best is None or rank < best[0]):
                best = rank, b
        if best is None:
            return [word[a:b] for a, b in pairwise(cuts)]
        cuts.remove(best[1])
