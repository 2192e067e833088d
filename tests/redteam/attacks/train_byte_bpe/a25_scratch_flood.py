# A25 · fill the disk with many files · FORBIDDEN or RAISED OSError
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for i in range(40):
        with open(str(i), "wb") as file:
            file.write(bytes(1 << 20))
    time.sleep(10)
    return {}, []
