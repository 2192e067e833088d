# A27 · start another program with the module behind subprocess · CRASH or WRONG
import _posixsubprocess
import os


def train_byte_bpe(input_path, vocab_size, special_tokens):
    reader, writer = os.pipe()
    where = [-1] * 6
    os.set_inheritable(writer, True)
    _posixsubprocess.fork_exec(
        [b"sh", b"-c", b"echo > @FOLDER@/pwned"], [b"/bin/sh"], True, (writer,), None, None,
        *where, reader, writer, True, False, -1, None, None, None, -1, None, False,
    )  # fmt: skip
    return {}, []
