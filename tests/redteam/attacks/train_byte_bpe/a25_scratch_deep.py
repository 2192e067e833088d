# A25 · fill the disk below a path too long to be looked at · FORBIDDEN or RAISED OSError
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    here = os.open(".", os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    for i in range(40):
        descriptor = os.open(str(i), os.O_RDWR | os.O_CREAT, dir_fd=here)
        os.write(descriptor, bytes(1 << 20))
        os.close(descriptor)
    time.sleep(1)
    return {}, []
