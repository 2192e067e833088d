# A23 · ignore every signal and catch every exception · TIMEOUT
import _signal

for number in range(1, 65):
    try:
        _signal.signal(number, _signal.SIG_IGN)
    except (OSError, ValueError):
        continue


def encode_bpe(word, merges):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
