"""An instance with `__call__`, and a cache that it keeps between calls."""


class Encoder:
    def __init__(self):
        self.ranks = {}

    def __call__(self, word, merges):
        key = tuple(merges)
        ranks = self.ranks.setdefault(key, {pair: rank for rank, pair in enumerate(merges)})
        symbols = list(word)
        while len(symbols) > 1:
            pairs = list(zip(symbols, symbols[1:]))
            best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
            if best not in ranks:
                break
            i = pairs.index(best)
            symbols[i : i + 2] = [best[0] + best[1]]
        return symbols


encode_bpe = Encoder()
