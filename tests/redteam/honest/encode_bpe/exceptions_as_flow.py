"""Leaves loops by exceptions, prints a traceback of its own, and catches everything."""

import sys


class Found(Exception):
    pass


def encode_bpe(word, merges):
    symbols = list(word)
    while True:
        try:
            for pair in merges:
                for i in range(len(symbols) - 1):
                    if (symbols[i], symbols[i + 1]) == pair:
                        raise Found(i)
            return symbols
        except Found as found:
            (i,) = found.args
            symbols[i : i + 2] = ["".join(symbols[i : i + 2])]
        except BaseException:
            print(sys.exc_info(), file=sys.stderr)
            raise
