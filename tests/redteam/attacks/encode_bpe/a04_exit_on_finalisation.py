# A04 · an object whose death ends the process with 0 · CRASH or WRONG
import os


class Last:
    def __del__(self):
        os._exit(0)


def encode_bpe(word, merges):
    Last()
    return []
