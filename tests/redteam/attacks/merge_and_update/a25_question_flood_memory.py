# A25 · a hundred thousand questions, and an allocation for each refusal · MEMORY or WRONG or TIMEOUT
def merge_and_update(words, counts, stats, where, pair):
    kept = []
    for i in range(100_000):
        try:
            words[-i]
        except IndexError as error:
            kept.append(str(error) * 1000)
    return []
