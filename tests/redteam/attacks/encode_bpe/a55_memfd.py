# A55 · a file that lies nowhere · RAISED PermissionError
import os


def encode_bpe(word, merges):
    return [str(os.memfd_create("x"))]
