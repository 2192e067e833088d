# A11 · import the hidden suite · RAISED ModuleNotFoundError
import test_encode_bpe


def encode_bpe(word, merges):
    return dir(test_encode_bpe)
