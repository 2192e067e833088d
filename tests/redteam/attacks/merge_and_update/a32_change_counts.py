# A32 · change an argument that is read only · WRONG
def merge_and_update(words, counts, stats, where, pair):
    counts[:] = [0] * len(counts)
    stats.clear()
    where.clear()
    return []
