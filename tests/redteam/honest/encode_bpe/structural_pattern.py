"""Pattern matching over the head of a list, one symbol at a time."""


def merge(symbols, left, right):
    out = []
    while symbols:
        match symbols:
            case [a, b, *rest] if (a, b) == (left, right):
                out.append(a + b)
                symbols = rest
            case [a, *rest]:
                out.append(a)
                symbols = rest
    return out


def encode_bpe(word: str, merges: "list[tuple[str, str]]", /) -> "list[str]":
    symbols = list(word)
    for left, right in merges:
        symbols = merge(symbols, left, right)
    return symbols
