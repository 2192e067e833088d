# A28 · a process that is the grader's own child · RAISED PermissionError or WRONG · x86_64
import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_PARENT, SIGCHLD = 0x8000, 17


def train_byte_bpe(input_path, vocab_size, special_tokens):
    found = libc.syscall(56, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)
    if found == 0:
        time.sleep(10**6)
    if found < 0:
        raise OSError(ctypes.get_errno(), "clone")
    return {}, []
