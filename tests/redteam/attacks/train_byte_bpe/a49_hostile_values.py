# A49 · negative and giant ids, empty symbols, bytes that are no text · WRONG · judge
def train_byte_bpe(input_path, vocab_size, special_tokens):
    vocab = {-1: b"", 2**59: b"\xff\x00\x1b[2J", 0: b"]]>"}
    return vocab, [(b"", b""), (b"\xff", b"\xc0\x80")] * 300
