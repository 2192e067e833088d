# A18 · move a file of the grader's user away · RAISED PermissionError
import posix


def encode_bpe(word, merges):
    posix.rename("@CANARY@", "@FOLDER@/gone")
    return []
