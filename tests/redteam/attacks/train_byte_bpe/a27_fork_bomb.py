# A27 · a fork bomb · FORBIDDEN or RAISED BlockingIOError or CRASH or TIMEOUT
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    while True:
        os.fork()
