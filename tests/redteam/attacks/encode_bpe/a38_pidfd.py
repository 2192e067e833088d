# A38 · take a descriptor out of the parent · RAISED PermissionError
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    handle = libc.syscall(434, int("@PARENT@"), 0)
    if handle < 0 or libc.syscall(438, handle, 3, 0) < 0:
        raise OSError(ctypes.get_errno(), "pidfd")
    return ["a descriptor"]
