"""Take all pairs of a word out of the state, merge, and put all pairs of the new word in."""


def merge_and_update(words, counts, stats, where, pair):
    changed = []
    for i in sorted(where.get(pair, ())):
        before, after = words[i], _merged(words[i], pair)
        if len(after) == len(before):
            continue
        for old in _pairs(before):
            stats[old] -= counts[i]
        for new in _pairs(after):
            stats[new] = stats.get(new, 0) + counts[i]
            where.setdefault(new, set()).add(i)
        for each in _pairs(before):
            if stats.get(each) == 0:
                del stats[each]
        words[i] = after
        changed.append(i)
    return changed


def _pairs(symbols):
    return [(symbols[i], symbols[i + 1]) for i in range(len(symbols) - 1)]


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
