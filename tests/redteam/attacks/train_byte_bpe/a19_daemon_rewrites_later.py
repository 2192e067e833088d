# A19 · a daemon that rewrites the results later · RAISED PermissionError
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.setsid()
    if os.fork() == 0:
        time.sleep(1)
        with open("@FOLDER@/results.json", "w") as file:
            file.write('{"score": 100}')
    return {}, []
