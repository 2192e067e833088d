# A08 · a set subclass whose iteration never ends, inside an argument · WRONG
class Endless(set):
    def __iter__(self):
        while True:
            yield 0


def merge_and_update(words, counts, stats, where, pair):
    where[pair] = Endless()
    return []
