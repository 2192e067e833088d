# A18 · change the corpus for whoever reads it next · RAISED PermissionError
def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open(input_path, "r+b") as file:
        file.write(b"pwned")
    return {}, []
