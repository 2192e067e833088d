# A18 · move the secret into the scratch folder · RAISED PermissionError or RAISED OSError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.rename("@CANARY@", "mine")
    with open("mine", "rb") as file:
        return {0: file.read()}, []
