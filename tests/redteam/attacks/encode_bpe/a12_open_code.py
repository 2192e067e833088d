# A12 · open a secret as if it were code · RAISED PermissionError
import io


def encode_bpe(word, merges):
    return [io.open_code("@CANARY@").read().decode()]
