# A35 · make the channel a socket object and connect it elsewhere · RAISED PermissionError
import _socket
import sys

channel = _socket.socket(1, 1, 0, fileno=int(sys.argv[1]))


def merge_and_update(words, counts, stats, where, pair):
    channel.connect("/run/docker.sock")
    return []
