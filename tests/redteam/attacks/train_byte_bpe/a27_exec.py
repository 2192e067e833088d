# A27 · start another program · RAISED PermissionError
import subprocess


def train_byte_bpe(input_path, vocab_size, special_tokens):
    subprocess.run(["/bin/sh", "-c", "echo > @FOLDER@/pwned"], check=True)
    return {}, []
