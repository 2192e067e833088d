# A55 · io_uring, whose work no filter sees · RAISED PermissionError
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    if libc.syscall(425, 8, ctypes.create_string_buffer(120)) < 0:
        raise OSError(ctypes.get_errno(), "io_uring_setup")
    return {}, []
