# A02 · look like the user's Ctrl-C · RAISED KeyboardInterrupt · judge
def encode_bpe(word, merges):
    raise KeyboardInterrupt
