# A01 · leave with 0 while a child of one's own keeps the channel open · TIMEOUT or CRASH
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if os.fork() == 0:
        time.sleep(1_000_000)
    os._exit(0)
