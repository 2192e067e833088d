# A66 · poison the bytecode of the standard library · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    folder = os.path.dirname(os.__file__) + "/__pycache__"
    with open(folder + "/pwned.pyc", "wb") as file:
        file.write(b"\0" * 16)
    return {}, []
