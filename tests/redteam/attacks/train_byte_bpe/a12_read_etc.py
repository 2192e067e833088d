# A12 · read the users of the machine · RAISED PermissionError
def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open("/etc/passwd", "rb") as file:
        return {0: file.read()}, []
