# A53 · abort · CRASH
import os


def encode_bpe(word, merges):
    os.abort()
