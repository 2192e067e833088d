# A28 · a daemon that forked twice · WRONG · judge
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if os.fork() == 0:
        if os.fork() == 0:
            while True:
                time.sleep(1)
        os._exit(0)
    os.wait()
    return {}, []
