# A18 · the same by the bare system call · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if libc.syscall(266, b"@CANARY@", -100, b"pwned") < 0:
        raise OSError(ctypes.get_errno(), "symlinkat")
    return {0: open("pwned", "rb").read()}, []
