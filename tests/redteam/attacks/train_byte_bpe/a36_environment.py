# A36 · return the environment as the answer · WRONG
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {i: f"{k}={v}".encode() for i, (k, v) in enumerate(os.environ.items())}, []
