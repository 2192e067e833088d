"""Warns, filters warnings, collects garbage and counts references."""

import gc
import sys
import warnings

warnings.warn("this solution is slow", stacklevel=1)
warnings.simplefilter("error")


def encode_bpe(word, merges):
    gc.collect()
    assert sys.getrefcount(merges) > 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("again", DeprecationWarning, stacklevel=2)
    assert len(caught) == 1
    symbols = list(word)
    for pair in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
            i += 1
    return symbols
