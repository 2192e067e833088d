# A27 · fork through libc · RAISED PermissionError
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    if libc.fork() < 0:
        raise OSError(ctypes.get_errno(), "fork")
    return ["forked"]
