# A10 · replace the codec of the answer by one that lies · CRASH or WRONG
import sys

main = sys.modules["__main__"]


def answer(self, nonce, wired, *rest):
    return ["value", nonce, wired[1], [None, None]]


main.Function.answer = answer


def encode_bpe(word, merges):
    return []
