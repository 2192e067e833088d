"""Replaces `print`, shadows builtins, seeds `random`, and sets the hash of a str subclass."""

import builtins
import random

builtins.print = lambda *values, **kwargs: None
random.seed(1)


class Symbol(str):
    __slots__ = ()


def encode_bpe(word, merges):
    list, map = type([]), None
    symbols = [Symbol(character) for character in word]
    random.shuffle([*symbols])
    for pair in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = [Symbol("".join(pair))]
            i += 1
    print(map)
    return list(str(symbol) for symbol in symbols)
