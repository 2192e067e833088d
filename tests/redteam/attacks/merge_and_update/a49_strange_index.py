# A49 · a right merge, and indices of words that are not there for the next call · WRONG · judge
def merge_and_update(words, counts, stats, where, pair):
    changed = []
    for i in sorted(where.get(pair, ())):
        size, j = len(words[i]), 0
        for each in zip(words[i], words[i][1:]):
            stats[each] = stats.get(each, 0) - counts[i]
        while j < len(words[i]) - 1:
            if (words[i][j], words[i][j + 1]) == pair:
                words[i][j : j + 2] = ["".join(pair)]
            j += 1
        for each in zip(words[i], words[i][1:]):
            stats[each] = stats.get(each, 0) + counts[i]
            where.setdefault(each, set()).add(i)
        if len(words[i]) < size:
            changed.append(i)
    for each in [each for each in stats if stats[each] == 0]:
        del stats[each]
    for each in where:
        where[each] |= {-1, 2**59}
    where[("\ud800", "")] = {-(2**59)}
    return changed
