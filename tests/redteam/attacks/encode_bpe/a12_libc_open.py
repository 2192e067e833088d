# A12 · open a secret through libc · RAISED PermissionError
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    descriptor = libc.open(b"@CANARY@", 0)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "open")
    return [os.read(descriptor, 1000).decode()]
