# A22 · an endless loop · TIMEOUT · judge
def encode_bpe(word, merges):
    while True:
        pass
