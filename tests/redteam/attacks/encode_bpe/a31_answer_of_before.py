# A31 · keep answers from one call to the next · WRONG
answers = ["seat"]


def encode_bpe(word, merges):
    answers.append(word)
    return answers[-2:-1]
