# A27 · fork with the builtin module, at import · RAISED PermissionError
import posix

posix.fork()


def encode_bpe(word, merges):
    return []
