# A25 · fill the disk with files that have no name any more · FORBIDDEN or RAISED OSError
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for _ in range(40):
        descriptor = os.open("gone", os.O_RDWR | os.O_CREAT)
        os.unlink("gone")
        os.write(descriptor, bytes(1 << 20))
    time.sleep(1)
    return {}, []
