# A55 · a named semaphore that stays · WRONG or RAISED PermissionError or RAISED FileNotFoundError
import _multiprocessing


def train_byte_bpe(input_path, vocab_size, special_tokens):
    _multiprocessing.SemLock(1, 1, 1, "/pwned", False)
    return {}, []
