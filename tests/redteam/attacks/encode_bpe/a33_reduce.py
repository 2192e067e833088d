# A33 · an object that runs code when it is unpickled · WRONG
import os


class Code:
    def __reduce__(self):
        return os.system, ("echo > @FOLDER@/pwned",)


def encode_bpe(word, merges):
    return [Code()]
