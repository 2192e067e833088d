# A69 · make the object a list, or copy it · RAISED TypeError
def merge_and_update(words, counts, stats, where, pair):
    words.__class__ = list
    return [len(word) for word in words]
