# A44 · an object with one key twice · CRASH
import os
import sys


def encode_bpe(word, merges):
    body = b'{"outcome": "WRONG", "outcome": "PASS"}'
    os.write(int(sys.argv[1]), len(body).to_bytes(4, "big") + body)
    return []
