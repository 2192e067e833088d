# A45 · bytes that are no text · CRASH
import os
import sys


def encode_bpe(word, merges):
    body = b'["value","\xff\xc0\x80\xed\xa0\x80"]'
    os.write(int(sys.argv[1]), len(body).to_bytes(4, "big") + body)
    return []
