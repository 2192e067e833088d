# A47 · close the channel while a child holds it · TIMEOUT or CRASH
import os
import sys
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if os.fork() == 0:
        time.sleep(10**6)
    os.close(int(sys.argv[1]))
    time.sleep(10**6)
