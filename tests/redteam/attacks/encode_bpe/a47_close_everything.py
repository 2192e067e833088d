# A47 · close every descriptor and stay · CRASH
import os
import time


def encode_bpe(word, merges):
    os.closerange(0, 64)
    time.sleep(1_000_000)
