# A35 · send it over TCP · RAISED PermissionError
import _socket


def encode_bpe(word, merges):
    _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM).connect(("127.0.0.1", 80))
    return []
