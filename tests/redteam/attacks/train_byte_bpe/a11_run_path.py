# A11 · run the reference as a script · RAISED PermissionError
import runpy
import sys

root = sys.modules["__main__"].HERE.rpartition("/grader/")[0]


def train_byte_bpe(input_path, vocab_size, special_tokens):
    stolen = runpy.run_path(root + "/reference/train_byte_bpe.py")
    return stolen["train_byte_bpe"](input_path, vocab_size, special_tokens)
