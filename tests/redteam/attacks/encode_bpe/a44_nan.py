# A44 · a number that is none · CRASH
import os
import sys


def encode_bpe(word, merges):
    for body in (b'["value",NaN]', b'["value",1e999]'):
        os.write(int(sys.argv[1]), len(body).to_bytes(4, "big") + body)
    return []
