"""The statement, word for word: before each merge, look every pair up in the list."""


def encode_bpe(word, merges):
    symbols = list(word)
    while True:
        best, place = len(merges), None
        for i in range(len(symbols) - 1):
            pair = (symbols[i], symbols[i + 1])
            if pair in merges and merges.index(pair) < best:
                best, place = merges.index(pair), i
        if place is None:
            return symbols
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
