# A12 · open the reference and run it · RAISED PermissionError · judge
import sys
from pathlib import Path

root = sys.modules["__main__"].HERE.rpartition("/grader/")[0]


def train_byte_bpe(input_path, vocab_size, special_tokens):
    stolen = {"__name__": "stolen"}
    exec(Path(root, "reference", "train_byte_bpe.py").read_text(), stolen)
    return stolen["train_byte_bpe"](input_path, vocab_size, special_tokens)
