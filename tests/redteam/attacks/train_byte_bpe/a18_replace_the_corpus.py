# A18 · put another file in the place of the corpus · RAISED PermissionError or RAISED OSError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open("mine", "w") as file:
        file.write("pwned")
    os.replace("mine", input_path)
    return {}, []
