# A05 · a dict subclass that shows other values each time · WRONG or CRASH · judge
class Liar(dict):
    def __iter__(self):
        return iter([("a", "b")] * 3)

    def values(self):
        return [1]

    def __eq__(self, other):
        return True

    __hash__ = None


def merge_and_update(words, counts, stats, where, pair):
    where[("a", "b")] = Liar()
    return []
