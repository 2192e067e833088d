# A08 · a list subclass whose iteration never ends · WRONG
class Endless(list):
    def __iter__(self):
        while True:
            yield "a"


def encode_bpe(word, merges):
    return Endless()
