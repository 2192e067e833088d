# A08 · an endless generator as the answer · WRONG
def encode_bpe(word, merges):
    while True:
        yield word
