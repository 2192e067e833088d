# A18 · take the permissions of a file away · RAISED PermissionError
import os


def encode_bpe(word, merges):
    os.chmod("@CANARY@", 0)
    return []
