# A35 · send it over UDP · RAISED PermissionError
import _socket


def encode_bpe(word, merges):
    _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).sendto(b"secret", ("127.0.0.1", 53))
    return []
