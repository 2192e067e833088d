# A12 · open a secret through libc in a child process · RAISED PermissionError
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    reader, writer = os.pipe()
    if os.fork() == 0:
        descriptor = libc.open(b"@CANARY@", 0)
        error = ctypes.get_errno()
        os.write(writer, str(error).encode() if descriptor < 0 else os.read(descriptor, 100))
        os._exit(0)
    os.wait()
    told = os.read(reader, 100)
    if told == b"13":
        raise PermissionError(13, "open")
    return {0: told}, []
