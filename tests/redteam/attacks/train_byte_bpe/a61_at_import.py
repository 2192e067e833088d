# A61 · everything at import: processes, files, sockets · RAISED PermissionError
import os

for _ in range(3):
    if os.fork() == 0:
        while True:
            pass
open("@FOLDER@/pwned", "w").close()


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {}, []
