# A19 · a thread that rewrites the results later · RAISED RuntimeError
import threading
import time


def later():
    time.sleep(1)
    with open("@FOLDER@/results.json", "w") as file:
        file.write('{"score": 100}')


def encode_bpe(word, merges):
    threading.Thread(target=later).start()
    return []
