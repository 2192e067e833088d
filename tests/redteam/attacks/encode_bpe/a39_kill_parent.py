# A39 · kill the parent · RAISED PermissionError
import os


def encode_bpe(word, merges):
    os.kill(int("@PARENT@"), 9)
    return []
