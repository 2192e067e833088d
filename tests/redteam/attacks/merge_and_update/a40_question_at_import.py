# A40 · ask for words while the module loads · CRASH
import sys

frame = sys._getframe()
while "nonce" not in frame.f_locals:
    frame = frame.f_back
channel = sys.modules["__main__"].Channel(int(sys.argv[1]))
channel.send(["word", frame.f_locals["nonce"], 0])


def merge_and_update(words, counts, stats, where, pair):
    return []
