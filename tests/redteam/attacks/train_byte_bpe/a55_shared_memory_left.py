# A55 · leave a message for the next submission in /dev/shm · WRONG or RAISED PermissionError · judge
import _posixshmem
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open("/dev/shm/pwned", "w") as file:
        file.write("the answers")
    _posixshmem.shm_open("/pwned-as-well", os.O_CREAT | os.O_RDWR, mode=0o600)
    return {}, []
