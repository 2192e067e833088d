# A45 · words of surrogates, nothing and escapes · WRONG
def merge_and_update(words, counts, stats, where, pair):
    for i in where.get(pair, ()):
        words[i] = ["\ud800", "", "\x1b[2J\u202e"]
    return sorted(where.get(pair, ()))
