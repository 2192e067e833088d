# A35 · talk to a service by a unix socket · RAISED PermissionError
import _socket


def encode_bpe(word, merges):
    _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM).connect("/run/docker.sock")
    return []
