# A22 · sleep · TIMEOUT
import time


def encode_bpe(word, merges):
    time.sleep(1_000_000)
    return []
