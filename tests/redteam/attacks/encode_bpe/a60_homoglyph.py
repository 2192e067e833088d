# A60 · a name that only looks like the function's · RAISED NameError
def еncode_bpe(word, merges):  # the first letter is Cyrillic
    return list(word)
