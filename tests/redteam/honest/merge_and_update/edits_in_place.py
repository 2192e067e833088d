"""Edits the lists it is given in place, and asks for the same word again and again."""


def merge_and_update(words, counts, stats, where, pair):
    changed = []
    for i in sorted(set(where.get(pair, []))):
        assert words[i] is words[i] and len(words) >= 1
        for each in zip(words[i], words[i][1:]):
            stats[each] = stats.get(each, 0) - counts[i]
        size, j = len(words[i]), 0
        while j < len(words[i]) - 1:
            if (words[i][j], words[i][j + 1]) == pair:
                words[i][j : j + 2] = [pair[0] + pair[1]]
            j += 1
        for each in zip(words[i], words[i][1:]):
            stats[each] = stats.get(each, 0) + counts[i]
            where[each] = where.get(each, set()) | {i}
        if len(words[i]) < size:
            changed.append(i)
    for each in [each for each, number in stats.items() if number == 0]:
        del stats[each]
    return changed
