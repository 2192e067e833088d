# A26 · print fifty megabytes, then answer · WRONG
import os


def encode_bpe(word, merges):
    for _ in range(800):
        os.write(2, b"y" * 65_536)
    return []
