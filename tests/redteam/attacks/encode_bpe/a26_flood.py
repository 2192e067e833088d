# A26 · print without end · TIMEOUT
def encode_bpe(word, merges):
    while True:
        print("x" * 10_000)
