# A61 · start a program at import · RAISED ModuleNotFoundError
import subprocess

subprocess.run(["/bin/sh", "-c", "echo > @FOLDER@/pwned"])


def encode_bpe(word, merges):
    return list(word)
