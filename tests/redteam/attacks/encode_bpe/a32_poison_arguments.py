# A32 · empty the argument for whoever reads it next · WRONG
def encode_bpe(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    merges.clear()
    symbols = list(word)
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        i = pairs.index(best)
        symbols[i : i + 2] = ["".join(best)]
    return symbols
