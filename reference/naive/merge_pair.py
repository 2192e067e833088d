"""The statement, word for word: a new tuple for each symbol that is kept."""


def merge_pair(symbols, pair):
    merged = ()
    i = 0
    while i < len(symbols):
        if symbols[i : i + 2] == pair:
            merged += (symbols[i] + symbols[i + 1],)
            i += 2
        else:
            merged += (symbols[i],)
            i += 1
    return merged
