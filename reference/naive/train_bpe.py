"""The statement, word for word: count all pairs of all words again before each merge."""


def train_bpe(word_counts, num_merges):
    words = [(list(word), count) for word, count in word_counts.items()]
    merges = []
    while len(merges) < num_merges:
        totals = {}
        for symbols, count in words:
            for i in range(len(symbols) - 1):
                pair = (symbols[i], symbols[i + 1])
                totals[pair] = totals.get(pair, 0) + count
        if not totals:
            break
        best = min(totals, key=lambda pair: (-totals[pair], pair))
        merges.append(best)
        words = [(_merged(symbols, best), count) for symbols, count in words]
    return merges


def _merged(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged
