# A29 · a thread that writes into the channel later · WRONG or CRASH
import os
import sys
import threading
import time


def forge():
    while True:
        time.sleep(0.001)
        os.write(int(sys.argv[1]), b"\0\0\0\2[]")


def train_byte_bpe(input_path, vocab_size, special_tokens):
    threading.Thread(target=forge, daemon=True).start()
    time.sleep(0.05)
    return {}, []
