# A07 · a class whose metaclass claims every instance and subclass · WRONG
class Everything(type):
    def __instancecheck__(cls, instance):
        return True

    def __subclasscheck__(cls, subclass):
        return True

    def __eq__(cls, other):
        return True

    __hash__ = type.__hash__


class Right(metaclass=Everything):
    pass


def encode_bpe(word, merges):
    return [Right()]
