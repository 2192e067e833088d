# A53 · run over the end of the stack · CRASH or MEMORY or RAISED RecursionError
import sys

sys.setrecursionlimit(1 << 30)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "")


def encode_bpe(word, merges):
    return Deep().anything
