"""A `functools.partial` of a function with more parameters."""

from functools import partial


def encode(start, join, word, merges):
    symbols = start(word)
    for pair in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = [join(pair)]
            i += 1
    return symbols


encode_bpe = partial(encode, list, "".join)
