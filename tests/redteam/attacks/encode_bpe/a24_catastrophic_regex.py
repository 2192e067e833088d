# A24 · a regular expression that holds the interpreter's lock · TIMEOUT
import re


def encode_bpe(word, merges):
    re.match(r"(a+)+$", "a" * 64 + "b")
    return []
