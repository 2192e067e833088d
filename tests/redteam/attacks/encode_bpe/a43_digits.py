# A43 · a number of a million digits · CRASH
import os
import sys


def encode_bpe(word, merges):
    body = b"[" + b"9" * 1_000_000 + b"]"
    frame = memoryview(len(body).to_bytes(4, "big") + body)
    while frame:
        frame = frame[os.write(int(sys.argv[1]), frame) :]
    return []
