"""Eighty megabytes of temporaries, let go before the answer."""


def encode_bpe(word, merges):
    table = [bytearray(8 << 20) for _ in range(10)]
    assert sum(map(len, table)) == 80 << 20
    symbols = list(word)
    for pair in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
            i += 1
    return symbols
