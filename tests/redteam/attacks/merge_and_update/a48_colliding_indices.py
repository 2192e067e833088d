# A48 · the same in the list that is returned · CRASH or WRONG
def merge_and_update(words, counts, stats, where, pair):
    return [k * (2**61 - 1) for k in range(1, 30_000)]
