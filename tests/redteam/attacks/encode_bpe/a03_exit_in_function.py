# A03 · leave with exit code 0 in the function · CRASH
import os


def encode_bpe(word, merges):
    os._exit(0)
