# A18 · pipes and devices in the scratch folder · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.mkfifo("pipe")
    os.mknod("disk", 0o60666, os.makedev(8, 0))
    return {}, []
