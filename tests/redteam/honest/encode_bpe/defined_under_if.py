"""The function is defined in a branch, twice, and the second definition counts."""

import sys

if True:

    def encode_bpe(word, merges):
        return [word]


if sys.version_info >= (3, 11):
    try:

        def encode_bpe(word, merges):
            symbols = list(word)
            for pair in merges:
                i = 0
                while i < len(symbols) - 1:
                    if (symbols[i], symbols[i + 1]) == pair:
                        symbols[i : i + 2] = ["".join(pair)]
                    i += 1
            return symbols
    finally:
        DEFINED = True
else:
    raise ImportError
