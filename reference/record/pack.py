"""Pack: a token is one character, and words of one count share a string.

With `chr(id)` for a token, a word is a `str`, a pair is a string of two, and one call in C
finds and replaces it. A visit to a string costs more than the characters in it, so a row holds
several words; sorted, words that look alike meet in a row, and one visit serves them all.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from operator import attrgetter

#: Stands between words, and in no pair: the byte 0xFF does not occur in UTF-8.
END = "\xff"
WORDS_PER_ROW = 16


class Row:
    """A few words that occur equally often, with `END` before, between and behind them."""

    __slots__ = ("count", "text")

    def __init__(self, text: str, count: int) -> None:
        self.text = text
        self.count = count


count_of = attrgetter("count")


def pack(pretokens: Counter[bytes]) -> list[Row]:
    """The words in rows. Empties `pretokens`, so that no word is held twice."""
    same_count: defaultdict[int, list[bytes]] = defaultdict(list)
    while pretokens:
        pretoken, count = pretokens.popitem()
        if len(pretoken) > 1:  # there is no pair in the others
            same_count[count].append(pretoken)
    rows = []
    while same_count:
        count, words = same_count.popitem()
        words = sorted_words(words)
        for start in range(0, len(words), WORDS_PER_ROW):
            joined = b"\xff".join(words[start : start + WORDS_PER_ROW])
            rows.append(Row(END + joined.decode("latin-1") + END, count))
    return rows


sorted_words: Callable[[list[bytes]], list[bytes]] = sorted  # another order in the ablation
