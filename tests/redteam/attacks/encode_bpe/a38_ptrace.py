# A38 · attach to the parent as a debugger · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    if libc.ptrace(16, int("@PARENT@"), 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return ["attached"]
