# A42 · a hundred thousand arrays in one another · CRASH
import os
import sys


def encode_bpe(word, merges):
    body = b"[" * 100_000 + b"]" * 100_000
    os.write(int(sys.argv[1]), len(body).to_bytes(4, "big") + body)
    return []
