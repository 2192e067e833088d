# A48 · numbers that hash alike, in a set the grader has to build · CRASH or WRONG
import sys


def merge_and_update(words, counts, stats, where, pair):
    frame = sys._getframe(1)
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    channel = sys.modules["__main__"].Channel(int(sys.argv[1]))
    row = [k * (2**61 - 1) for k in range(1, 30_000)]
    after = [[], None, None, [[[["a", "b"]], [row]]], None]
    channel.send(["value", frame.f_locals["nonce"], [], after])
    return []
