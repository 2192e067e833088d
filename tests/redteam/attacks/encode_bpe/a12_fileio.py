# A12 · open a secret with the builtin module behind open · RAISED PermissionError
import _io


def encode_bpe(word, merges):
    return [_io.FileIO("@CANARY@").read().decode()]
