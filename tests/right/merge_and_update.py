"""Right solutions of `merge_and_update`, each built another way; all of them must pass."""

from collections import Counter, defaultdict
from itertools import pairwise


def _merge(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        width = 2 if tuple(symbols[i : i + 2]) == pair else 1
        merged.append("".join(symbols[i : i + width]))
        i += width
    return merged


def recount_of_changed_words(words, counts, stats, where, pair):
    """Takes all old pairs of a word out and puts all new ones in, through a table of changes."""
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if len(new) == len(old):
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
    for each, change in delta.items():
        total = stats.pop(each, 0) + change
        if total:
            stats[each] = total
    return changed


def edited_in_place(words, counts, stats, where, pair):
    """Edits the list of the word in place, changes three pairs a merge, and keeps `where[pair]`."""
    left, right = pair
    new = left + right
    changed = []
    for i in sorted(where.get(pair, ())):
        symbols, n, at, merges = words[i], counts[i], 0, 0
        while at + 1 < len(symbols):
            if symbols[at] == left and symbols[at + 1] == right:
                merges += 1
                stats[pair] -= n
                if at > 0:
                    stats[symbols[at - 1], left] -= n
                    came = (symbols[at - 1], new)
                    stats[came] = stats.get(came, 0) + n
                    where.setdefault(came, set()).add(i)
                if at + 2 < len(symbols):
                    stats[right, symbols[at + 2]] -= n
                    came = (new, symbols[at + 2])
                    stats[came] = stats.get(came, 0) + n
                    where.setdefault(came, set()).add(i)
                symbols[at : at + 2] = [new]
            at += 1
        if merges:
            changed.append(i)
    for each in [each for each, n in stats.items() if n == 0]:
        del stats[each]
    return changed


def tidy_index(words, counts, stats, where, pair):
    """Leaves no stale entry behind: a changed word is taken out of all sets it left."""
    changed = []
    for i in list(where.get(pair, ())):
        before = list(pairwise(words[i]))
        if pair not in before:
            continue
        words[i] = _merge(words[i], pair)
        changed.append(i)
        after = list(pairwise(words[i]))
        for each in before:
            stats[each] -= counts[i]
        for each in after:
            stats[each] = stats.get(each, 0) + counts[i]
        for each in set(before) - set(after):
            where[each].discard(i)
        for each in set(after) - set(before):
            where.setdefault(each, set()).add(i)
        for each in {*before, *after}:
            if stats.get(each) == 0:
                del stats[each]
                del where[each]
    where.pop(pair, None)
    return sorted(changed)


def early_eviction(words, counts, stats, where, pair):
    """Deletes a pair the moment its count touches zero, and enters all new pairs afresh."""
    changed = []
    for i in sorted(where.pop(pair, set())):
        if pair not in pairwise(words[i]):
            continue
        for each in pairwise(words[i]):
            stats[each] -= counts[i]
            if not stats[each]:
                del stats[each]
                where.pop(each, None)
        words[i] = _merge(words[i], pair)
        changed.append(i)
        for each in pairwise(words[i]):
            stats[each] = stats.get(each, 0) + counts[i]
            where.setdefault(each, set()).add(i)
    return changed


def neighbours_by_position(words, counts, stats, where, pair):
    """Finds the positions first, then compares the few pairs around them before and after."""
    joined = pair[0] + pair[1]
    changed, delta = set(), defaultdict(int)
    for i in where.get(pair, set()).copy():
        symbols, starts, at = words[i], [], 0
        while at + 1 < len(symbols):
            if (symbols[at], symbols[at + 1]) == pair:
                starts.append(at)
                at += 2
            else:
                at += 1
        if not starts:
            continue
        touched = {at + step for at in starts for step in (-1, 0, 1)}
        for at in touched & set(range(len(symbols) - 1)):
            delta[symbols[at], symbols[at + 1]] -= counts[i]
        for at in reversed(starts):
            symbols[at : at + 2] = [joined]
        made = {at - earlier for earlier, at in enumerate(starts)}
        for at in {at + step for at in made for step in (-1, 0)} & set(range(len(symbols) - 1)):
            each = (symbols[at], symbols[at + 1])
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
        changed.add(i)
    for each, change in delta.items():
        stats[each] = stats.get(each, 0) + change
        if not stats[each]:
            del stats[each]
    if pair in where:
        where[pair].clear()
    return sorted(changed)


def emptied_as_it_goes(words, counts, stats, where, pair):
    """Takes one index after the other out of `where[pair]`, and writes words with a new list."""
    changed, gone, come = [], Counter(), Counter()
    pending = where.setdefault(pair, set())
    while pending:
        i = pending.pop()
        symbols = list(words[i])
        if not any(each == pair for each in pairwise(symbols)):
            continue
        gone.update({each: n * counts[i] for each, n in Counter(pairwise(symbols)).items()})
        merged = _merge(symbols, pair)
        come.update({each: n * counts[i] for each, n in Counter(pairwise(merged)).items()})
        for each in set(pairwise(merged)):
            if each in where:
                where[each].add(i)
            else:
                where[each] = {i}
        words[i] = merged
        changed.append(i)
    true = Counter(stats)
    true.update(come)
    true.subtract(gone)
    stats.clear()
    stats.update({each: n for each, n in true.items() if n})
    changed.sort()
    return changed
