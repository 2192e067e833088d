# A25 · fill the disk with one file · RAISED OSError
def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open("big", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    return {}, []
