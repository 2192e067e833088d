# A47 · close the output and answer · WRONG
import os
import sys


def encode_bpe(word, merges):
    os.close(1)
    os.close(2)
    sys.stdout = None
    return []
