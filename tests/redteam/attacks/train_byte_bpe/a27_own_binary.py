# A27 · write a program and run it · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    descriptor = os.open("program", os.O_WRONLY | os.O_CREAT, 0o755)
    os.write(descriptor, b"#!/bin/sh\necho > @FOLDER@/pwned\n")
    os.close(descriptor)
    os.execv("./program", ["program"])
