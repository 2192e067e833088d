# A56 · a user namespace, for more of the kernel to attack · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    if libc.syscall(272, 0x10000000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    return ["a namespace"]
