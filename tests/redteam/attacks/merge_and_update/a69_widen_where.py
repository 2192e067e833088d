# A69 · list every word in `where` first, then read them all · WRONG
def merge_and_update(words, counts, stats, where, pair):
    where[pair] = set(range(len(words)))
    try:
        return [i for i in where[pair] if pair[0] in words[i]]
    except IndexError:
        return []
