# A39 · kill all there is to kill; it reaches oneself at most · CRASH or WRONG or RAISED PermissionError
import os
import signal


def train_byte_bpe(input_path, vocab_size, special_tokens):
    os.kill(-1, signal.SIGKILL)
    return {}, []
