# A18 · a symbolic link that leads the grader's clean-up elsewhere · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.symlink("@FOLDER@", "pwned")
    return {}, []
