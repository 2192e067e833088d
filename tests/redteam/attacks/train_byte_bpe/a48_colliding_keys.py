# A48 · keys that hash alike, in a dict the grader has to build · CRASH or WRONG · judge
def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {k * (2**61 - 1): b"" for k in range(1, 2_000)}, []
