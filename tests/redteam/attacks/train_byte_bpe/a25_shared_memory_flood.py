# A25 · fill the machine's memory by way of /dev/shm · FORBIDDEN or RAISED OSError
import os
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for i in range(100):
        descriptor = os.open(f"/dev/shm/pwned-{i}", os.O_RDWR | os.O_CREAT)
        os.write(descriptor, bytes(1 << 20))
        os.close(descriptor)
    time.sleep(1)
    return {}, []
