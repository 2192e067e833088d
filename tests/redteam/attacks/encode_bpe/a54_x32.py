# A54 · a system call of the x32 table · FORBIDDEN · x86_64
import ctypes


def encode_bpe(word, merges):
    return [str(ctypes.CDLL(None).syscall(0x40000000 + 39))]
