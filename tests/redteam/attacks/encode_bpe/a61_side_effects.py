# A61 · work at import, before anybody looks · RAISED PermissionError
import os

os.makedirs("@FOLDER@/pwned/deep")


def encode_bpe(word, merges):
    return list(word)
