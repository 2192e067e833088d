# A46 · an answer that comes a byte at a time · TIMEOUT
import os
import sys
import time


def encode_bpe(word, merges):
    os.write(int(sys.argv[1]), (1000).to_bytes(4, "big"))
    while True:
        os.write(int(sys.argv[1]), b" ")
        time.sleep(0.01)
