# A10 · builtins that call everything right · WRONG or CRASH
import builtins


class Right(list):
    def __eq__(self, other):
        return True


kind = builtins.type
builtins.type = lambda value, *rest: list if isinstance(value, Right) else kind(value, *rest)
builtins.isinstance = lambda value, kinds: True
builtins.all = builtins.any = lambda items: True


def encode_bpe(word, merges):
    return Right(["s"])
