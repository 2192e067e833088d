# A43 · counts just within the digits that may travel · WRONG
def merge_and_update(words, counts, stats, where, pair):
    for key in stats:
        stats[key] = 10**4299 - 1
    return [10**4299 - 1] * 50
