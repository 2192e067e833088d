# A02 · sys.exit(0) in the function · RAISED SystemExit
import sys


def encode_bpe(word, merges):
    sys.exit(0)
