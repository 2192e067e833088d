"""The statement, word for word: look at every position, add up in a plain dict."""


def pair_counts(word_counts):
    totals = {}
    for symbols, count in word_counts.items():
        for i in range(len(symbols) - 1):
            pair = (symbols[i], symbols[i + 1])
            if pair not in totals:
                totals[pair] = 0
            totals[pair] += count
    return totals
