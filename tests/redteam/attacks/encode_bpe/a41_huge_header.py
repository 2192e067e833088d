# A41 · a header that promises four gigabytes · CRASH
import os
import sys


def encode_bpe(word, merges):
    os.write(int(sys.argv[1]), b"\xff\xff\xff\xff[")
    return []
