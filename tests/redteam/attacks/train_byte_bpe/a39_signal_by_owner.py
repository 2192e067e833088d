# A39 · let the kernel signal the parent when a pipe moves · RAISED PermissionError or WRONG
import fcntl
import os
import signal


def train_byte_bpe(input_path, vocab_size, special_tokens):
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, os.getppid())
    fcntl.fcntl(reader, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writer, b"x")
    return {}, []
