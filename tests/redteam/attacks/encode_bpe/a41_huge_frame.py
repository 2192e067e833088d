# A41 · sixty-four megabytes where a word was asked for · CRASH
import os
import sys


def encode_bpe(word, merges):
    frame = memoryview((1 << 26).to_bytes(4, "big") + b"[" + b" " * ((1 << 26) - 1))
    while frame:
        frame = frame[os.write(int(sys.argv[1]), frame) :]
    return []
