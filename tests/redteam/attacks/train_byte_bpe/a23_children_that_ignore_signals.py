# A23 · children that ignore every signal and never end · TIMEOUT
import os
import signal


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    os.fork()
    while True:
        pass
