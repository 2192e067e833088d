# A22 · wait for children that never end · TIMEOUT
import multiprocessing
import time


def train_byte_bpe(input_path, vocab_size, special_tokens):
    workers = [multiprocessing.Process(target=time.sleep, args=(10**6,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return {}, []
