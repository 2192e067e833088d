# A25 · use up the file system with files of no size · FORBIDDEN or RAISED OSError
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for i in range(5000):
        os.close(os.open(str(i), os.O_RDWR | os.O_CREAT))
    time.sleep(1)
    return {}, []
