"""Empties `where[pair]`, assigns new lists, and leaves stale indices elsewhere."""

from collections import Counter, defaultdict


def pairs_of(word):
    return Counter(zip(word, word[1:]))


def merge_and_update(words, counts, stats, where, pair):
    changed = []
    for i in sorted(where.pop(pair, ())):
        before = words[i]
        after, j = [], 0
        while j < len(before):
            if tuple(before[j : j + 2]) == pair:
                after.append(pair[0] + pair[1])
                j += 2
            else:
                after.append(before[j])
                j += 1
        if after == before:
            continue
        changed.append(i)
        change = defaultdict(int)
        for each, number in pairs_of(before).items():
            change[each] -= number * counts[i]
        for each, number in pairs_of(after).items():
            change[each] += number * counts[i]
            where.setdefault(each, set()).add(i)
        for each, number in change.items():
            stats[each] = stats.get(each, 0) + number
            if not stats[each]:
                del stats[each]
        words[i] = after
    return changed
