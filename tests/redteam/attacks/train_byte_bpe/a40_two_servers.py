# A40 · fork out of the function, so that two processes answer every question · WRONG or CRASH
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.fork()
    return {}, []
