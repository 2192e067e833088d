# A35 · raw and packet sockets · RAISED PermissionError
import _socket


def encode_bpe(word, merges):
    for family, kind in ((_socket.AF_PACKET, _socket.SOCK_RAW), (_socket.AF_INET, 3)):
        _socket.socket(family, kind)
    return []
