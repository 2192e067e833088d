# A12 · read what other programs keep in shared memory · WRONG or RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    found = {}
    for i, name in enumerate(os.listdir("/dev/shm")):
        try:
            with open(f"/dev/shm/{name}", "rb") as file:
                found[i] = file.read(100)
        except PermissionError:
            continue
    return found, []
