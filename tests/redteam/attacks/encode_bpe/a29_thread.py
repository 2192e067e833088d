# A29 · a thread that stays, by the builtin module · RAISED RuntimeError
import _thread


def forever():
    while True:
        pass


def encode_bpe(word, merges):
    _thread.start_new_thread(forever, ())
    return []
