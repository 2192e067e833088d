# A06 · int subclasses and bools as indices · WRONG
class Right(int):
    __hash__ = int.__hash__

    def __eq__(self, other):
        return True


def merge_and_update(words, counts, stats, where, pair):
    return [False, Right(1)]
