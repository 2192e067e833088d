# A37 · list the processes of the machine · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {i: name.encode() for i, name in enumerate(os.listdir("/proc"))}, []
