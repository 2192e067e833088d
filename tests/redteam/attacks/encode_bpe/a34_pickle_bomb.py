# A34 · a small pickle that is huge once it is hashed · CRASH
import os
import sys


def encode_bpe(word, merges):
    body = b"\x80\x04)" + b"".join(b"\x94h%c\x86" % i for i in range(60)) + b"."
    os.write(int(sys.argv[1]), len(body).to_bytes(4, "big") + body)
    return []
