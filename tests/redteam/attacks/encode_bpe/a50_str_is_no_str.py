# A50 · an exception with attributes of the wrong kinds · RAISED Hostile
class Hostile(SyntaxError):
    filename = property(lambda self: (_ for _ in ()).throw(SystemExit(0)))
    lineno = 10**100
    msg = b"\xff"

    def __str__(self):
        return "\ud800\x1b[2J" * 1000


Hostile.filename = "katas/encode_bpe.py"


def encode_bpe(word, merges):
    raise Hostile
