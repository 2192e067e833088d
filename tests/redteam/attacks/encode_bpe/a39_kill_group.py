# A39 · kill the process group · RAISED PermissionError
import posix


def encode_bpe(word, merges):
    posix.killpg(0, 9)
    return []
