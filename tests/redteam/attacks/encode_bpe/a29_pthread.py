# A29 · a thread through libc · RAISED PermissionError
import ctypes

libc = ctypes.CDLL(None)
BODY = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda nothing: 0)


def encode_bpe(word, merges):
    thread = ctypes.c_ulong()
    error = libc.pthread_create(ctypes.byref(thread), None, BODY, None)
    if error:
        raise OSError(error, "pthread_create")
    return ["a thread"]
