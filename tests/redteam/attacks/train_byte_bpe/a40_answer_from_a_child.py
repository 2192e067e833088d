# A40 · a child that answers in the parent's place, at the same time · WRONG or CRASH
import os
import sys


def train_byte_bpe(input_path, vocab_size, special_tokens):
    frame = sys._getframe(1)
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    channel = sys.modules["__main__"].Channel(int(sys.argv[1]))
    if os.fork() == 0:
        for _ in range(100):
            message = [[[0], ["x"]], []]
            channel.send(["value", frame.f_locals["nonce"], message, [None, None, None]])
        os._exit(0)
    os.wait()
    return {}, []
