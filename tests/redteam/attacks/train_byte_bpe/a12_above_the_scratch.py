# A12 · climb from the scratch folder by a descriptor of its parent · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    above = os.open("..", os.O_PATH)
    descriptor = os.open("planted", os.O_RDONLY, dir_fd=above)
    return {0: os.read(descriptor, 1000)}, []
