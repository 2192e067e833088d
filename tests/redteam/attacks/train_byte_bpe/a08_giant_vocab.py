# A08 · a vocabulary of ten megabytes for fifty bytes of corpus · CRASH or WRONG or MEMORY
def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {i: b"x" * 100_000 for i in range(100)}, []
