# A25 · allocate without end · MEMORY
def train_byte_bpe(input_path, vocab_size, special_tokens):
    kept = []
    while True:
        kept.append(bytearray(1 << 26))
