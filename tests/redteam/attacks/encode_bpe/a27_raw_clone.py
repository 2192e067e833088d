# A27 · clone and clone3 by bare system calls · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    arguments = (ctypes.c_uint64 * 11)(*[0] * 11)
    arguments[4] = 17
    if libc.syscall(435, arguments, 88) >= 0:
        return ["clone3"]
    if libc.syscall(56, 17, 0, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "clone")
    return ["cloned"]
