# A25 · a list that grows without end · MEMORY
def encode_bpe(word, merges):
    kept = []
    while True:
        kept.append(bytearray(10_000_000))
