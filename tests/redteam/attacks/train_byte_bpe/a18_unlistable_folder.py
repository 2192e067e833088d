# A18 · folders that nobody may list, so that nobody can clean them up · WRONG
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.mkdir("closed", 0o300)
    os.mkdir("closed/deeper", 0o300)
    with open("closed/deeper/file", "w") as file:
        file.write("pwned")
    return {}, []
