# A07 · an object whose __class__ says list · WRONG
class Right:
    __class__ = list

    def __eq__(self, other):
        return True


def encode_bpe(word, merges):
    return Right()
