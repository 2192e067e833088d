# A51 · the same in a frame of one's own, past the child's own limit · RAISED or CRASH · judge
import sys


def encode_bpe(word, merges):
    frame = sys._getframe(1)
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    channel = sys.modules["__main__"].Channel(int(sys.argv[1]))
    kind = "PASS\n::error::" * 30_000
    channel.send(["raised", frame.f_locals["nonce"], kind, kind, 10**1000])
    return []
