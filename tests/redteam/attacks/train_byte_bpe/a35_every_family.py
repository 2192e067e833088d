# A35 · sockets of every family there is · RAISED PermissionError
import _socket


def train_byte_bpe(input_path, vocab_size, special_tokens):
    found, refused = {}, None
    for family in range(46):
        for kind in (1, 2, 3, 5):
            try:
                _socket.socket(family, kind)
            except PermissionError as error:
                refused = error
            except OSError as error:
                found[family] = str(error).encode()
    if found:
        return found, []
    raise refused
