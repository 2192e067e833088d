# A25 · a file of a terabyte that takes no room yet · RAISED OSError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    descriptor = os.open("big", os.O_RDWR | os.O_CREAT)
    os.ftruncate(descriptor, 1 << 40)
    return {}, []
