# A50 · an exception whose text never ends · TIMEOUT
class Hostile(Exception):
    def __str__(self):
        while True:
            pass


def encode_bpe(word, merges):
    raise Hostile
