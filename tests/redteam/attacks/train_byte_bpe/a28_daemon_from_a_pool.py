# A28 · daemons that workers leave behind, while the call waits · TIMEOUT
import multiprocessing
import os
import time


def work(number):
    for _ in range(2):
        if os.fork() == 0 and os.fork() == 0:
            time.sleep(10**6)
    return number


def train_byte_bpe(input_path, vocab_size, special_tokens):
    with multiprocessing.Pool(2) as pool:
        pool.map(work, range(2))
    time.sleep(10**6)
