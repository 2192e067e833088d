# A27 · threads without end · FORBIDDEN or RAISED RuntimeError or MEMORY
import threading
import time

threading.stack_size(65_536)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    while True:
        threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()
