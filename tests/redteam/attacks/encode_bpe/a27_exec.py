# A27 · become another program · RAISED PermissionError
import os


def encode_bpe(word, merges):
    os.execv("/bin/sh", ["sh", "-c", "echo > @FOLDER@/pwned"])
