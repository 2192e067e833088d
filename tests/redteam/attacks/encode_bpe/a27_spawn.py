# A27 · start a program with posix_spawn · RAISED PermissionError
import os


def encode_bpe(word, merges):
    os.posix_spawn("/bin/sh", ["sh", "-c", "echo > @FOLDER@/pwned"], {})
    return []
