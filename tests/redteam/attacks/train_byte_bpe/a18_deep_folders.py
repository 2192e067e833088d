# A18 · folders deeper than any path or recursion · WRONG or FORBIDDEN or RAISED OSError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    here = os.open(".", os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    return {}, []
