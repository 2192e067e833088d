# A08 · an answer of two million symbols · CRASH or WRONG
def encode_bpe(word, merges):
    return ["s"] * 2_000_000
