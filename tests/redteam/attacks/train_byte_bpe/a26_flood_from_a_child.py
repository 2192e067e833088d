# A26 · a child that prints without end, beside a parent that answers · WRONG
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if os.fork() == 0:
        while True:
            os.write(1, b"x" * 65_536)
    return {}, []
