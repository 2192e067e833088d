# A55 · a file that lies nowhere and no cap counts · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {os.memfd_create("x"): b""}, []
