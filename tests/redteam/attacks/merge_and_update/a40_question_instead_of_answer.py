# A40 · the same question without end · TIMEOUT or WRONG
def merge_and_update(words, counts, stats, where, pair):
    while True:
        try:
            words[len(words)]
        except IndexError:
            continue
