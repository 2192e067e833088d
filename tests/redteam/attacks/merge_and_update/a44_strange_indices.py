# A44 · questions for words that are no numbers · WRONG or CRASH or RAISED IndexError
def merge_and_update(words, counts, stats, where, pair):
    for i in (True, None, "0", [0], 10**400, -1, 0.5):
        try:
            words._ask(i)
        except IndexError:
            continue
    return []
