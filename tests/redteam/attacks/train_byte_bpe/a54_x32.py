# A54 · a system call of the x32 table · FORBIDDEN · x86_64
import ctypes


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {ctypes.CDLL(None).syscall(0x40000000 + 41, 2, 1, 0): b""}, []
