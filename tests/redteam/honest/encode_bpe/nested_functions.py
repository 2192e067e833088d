"""Functions three deep, with `nonlocal`, and the answer taken out of the innermost."""


def encode_bpe(word, merges):
    symbols = list(word)

    def for_each_merge():
        changed = 0

        def merge(pair):
            nonlocal changed, symbols
            i, out = 0, []
            while i < len(symbols):
                if tuple(symbols[i : i + 2]) == pair:
                    out.append("".join(pair))
                    i += 2
                    changed += 1
                else:
                    out.append(symbols[i])
                    i += 1
            symbols = out

        for pair in merges:
            merge(pair)
        return changed

    for_each_merge()
    return symbols
