# A69 · an index that is allowed when it is checked and another when it is used · RAISED TypeError
class Two(int):
    def __index__(self):
        return 1

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return True


def merge_and_update(words, counts, stats, where, pair):
    return [len(words[Two(0)])]
