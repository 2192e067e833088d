# A16 · replace the class that asks for words · RAISED PermissionError
import sys

main = sys.modules["__main__"]
main.Words.__getitem__ = lambda self, i: open("@CANARY@").read().split()


def merge_and_update(words, counts, stats, where, pair):
    return [len(words[i]) for i in range(len(words))]
