# A27 · let the shell do it · WRONG
import os


def encode_bpe(word, merges):
    return [str(os.system("echo > @FOLDER@/pwned"))]
