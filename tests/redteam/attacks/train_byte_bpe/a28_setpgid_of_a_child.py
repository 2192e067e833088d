# A28 · move a child into a group of its own · RAISED PermissionError
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    child = os.fork()
    if child == 0:
        time.sleep(10**6)
    os.setpgid(child, child)
    return {}, []
