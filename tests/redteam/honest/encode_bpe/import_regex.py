"""Cuts the word with the `regex` module, a pattern compiled at import and one in the call."""

import regex

SYMBOL = regex.compile(r"\X|.", regex.DOTALL | regex.V1)


def encode_bpe(word, merges):
    assert regex.fullmatch(r"(?s:.)*", word)
    symbols = [character for found in SYMBOL.findall(word) for character in found]
    for pair in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
            i += 1
    return symbols
