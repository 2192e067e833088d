"""A global cache of answers by word and merges, and a global counter."""

CACHE = {}
calls = 0


def encode_bpe(word, merges):
    global calls
    calls += 1
    key = word, tuple(merges)
    if key not in CACHE:
        symbols = list(word)
        for pair in merges:
            i = 0
            while i < len(symbols) - 1:
                if (symbols[i], symbols[i + 1]) == pair:
                    symbols[i : i + 2] = ["".join(pair)]
                i += 1
        CACHE[key] = symbols
    return CACHE[key]
