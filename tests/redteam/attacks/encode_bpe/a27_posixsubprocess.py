# A27 · the module behind subprocess · RAISED ModuleNotFoundError
import _posixsubprocess

_posixsubprocess.fork_exec


def encode_bpe(word, merges):
    return []
