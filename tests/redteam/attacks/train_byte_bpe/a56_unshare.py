# A56 · a user namespace by unshare · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if libc.syscall(272, 0x10000000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    return {}, []
