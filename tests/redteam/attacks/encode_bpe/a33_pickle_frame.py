# A33 · a pickle where an answer is due · CRASH
import os
import sys


def encode_bpe(word, merges):
    body = b"cos\nsystem\n(S'echo > @FOLDER@/pwned'\ntR."
    os.write(int(sys.argv[1]), len(body).to_bytes(4, "big") + body)
    return []
