# A25 · one allocation larger than the machine · MEMORY
def encode_bpe(word, merges):
    return [str(len(bytearray(1 << 50)))]
