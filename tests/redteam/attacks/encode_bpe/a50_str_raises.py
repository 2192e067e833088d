# A50 · an exception that cannot be shown · RAISED Hostile
class Hostile(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


def encode_bpe(word, merges):
    raise Hostile
