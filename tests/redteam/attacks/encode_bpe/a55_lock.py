# A55 · a lock on an inherited descriptor as a signal to others · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    if libc.syscall(73, 0, 2) < 0:
        raise OSError(ctypes.get_errno(), "flock")
    return ["locked"]
