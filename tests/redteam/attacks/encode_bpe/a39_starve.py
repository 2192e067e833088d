# A39 · change the parent's limits and priority · RAISED PermissionError · x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    limit = (ctypes.c_uint64 * 2)(0, 0)
    if libc.syscall(302, int("@PARENT@"), 7, limit, None) == 0:
        return ["prlimit"]
    os.setpriority(os.PRIO_PROCESS, int("@PARENT@"), 19)
    return ["priority"]
