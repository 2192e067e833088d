# A24 · a loop in C that nothing in Python interrupts · TIMEOUT
import itertools


def encode_bpe(word, merges):
    return [str(sum(itertools.repeat(1)))]
