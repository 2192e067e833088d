# A35 · a netlink socket by the bare system call · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    if libc.syscall(41, 16, 3, 0) < 0:
        raise OSError(ctypes.get_errno(), "socket")
    return ["netlink"]
