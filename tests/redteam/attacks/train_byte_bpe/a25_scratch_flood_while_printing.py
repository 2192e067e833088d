# A25 · fill the disk and keep the grader busy with prints · FORBIDDEN or RAISED OSError
import os
import threading
import time


def talk():
    while True:
        os.write(1, b".")
        time.sleep(0.01)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    threading.Thread(target=talk, daemon=True).start()
    for i in range(40):
        with open(str(i), "wb") as file:
            file.write(bytes(1 << 20))
    time.sleep(1)
    return {}, []
