# A69 · loop over the words · RAISED TypeError
def merge_and_update(words, counts, stats, where, pair):
    return [i for i, word in enumerate(words) if pair[0] in word]
