# A35 · the one kind of socket that needs no name · RAISED PermissionError
import _socket


def merge_and_update(words, counts, stats, where, pair):
    return [one.fileno() for one in _socket.socketpair()]
