# A69 · send back words that were never listed · WRONG or CRASH
import sys


def merge_and_update(words, counts, stats, where, pair):
    frame = sys._getframe(1)
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    channel = sys.modules["__main__"].Channel(int(sys.argv[1]))
    rows = [[1, ["x"]], [-1, ["x"]], [2**40, ["x"]]]
    channel.send(["value", frame.f_locals["nonce"], [], [rows, None, None, None, None]])
    return []
