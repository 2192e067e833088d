"""Known wrong solutions of `pair_counts`."""

from collections import Counter
from itertools import pairwise, product


def ignores_counts(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You count each word once, however often it occurs.

    The table maps a word to its count. A pair in a word with the count 5 stands in the
    text five times, so each position has to add 5, not 1.

    Outcome: WRONG
    """
    totals: dict[tuple[str, str], int] = {}
    for symbols in words:
        for pair in pairwise(symbols):
            totals[pair] = totals.get(pair, 0) + 1
    return totals


def once_per_word(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You count a pair once per word, even where the word has it at several places.

    Look for a set or an `in` test inside the loop over a word. `("a", "n", "a", "n")` has
    the pair `("a", "n")` at two positions, and both count.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        for pair in set(pairwise(symbols)):
            totals[pair] += count
    return totals


def counts_words_with_the_pair(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You count in how many distinct words a pair occurs.

    A `Counter` fed with a set of pairs sees each pair of a word once, and each word once.
    Neither the positions within a word nor the count of the word have any effect.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols in words:
        totals.update(set(pairwise(symbols)))
    return totals


def skips_overlaps(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You skip a pair that shares a symbol with the equal pair before it.

    Merging has to avoid overlaps, counting must not. In a run of n equal symbols the pair
    counts n - 1 times, so `("a", "a", "a")` counts twice.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        last_end, last_pair = 0, None
        for end, pair in enumerate(pairwise(symbols), start=1):
            if pair == last_pair and end == last_end + 1:
                last_pair = None
                continue
            totals[pair] += count
            last_end, last_pair = end, pair
    return totals


def steps_in_twos(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You cut each word into blocks of two, so you see only every other pair.

    After the pair of the first and second symbol comes the pair of the second and third:
    the step from one position to the next is one symbol.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        for at in range(0, len(symbols) - 1, 2):
            totals[symbols[at], symbols[at + 1]] += count
    return totals


def counts_across_words(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You count a pair made of the last symbol of one word and the first of the next.

    Look at what your loop remembers when it goes on to a new word: the previous symbol has
    to be forgotten there. The words of a table are not neighbours.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    previous = None
    for symbols, count in words.items():
        for symbol in symbols:
            if previous is not None:
                totals[previous, symbol] += count
            previous = symbol
    return totals


def overwrites_totals(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You overwrite the total of a pair where you should add to it.

    `totals[pair] = count` forgets what the pair has collected so far, so only the last
    position of the last word is left. Start each total at 0 and add.

    Outcome: WRONG
    """
    totals = {}
    for symbols, count in words.items():
        for pair in pairwise(symbols):
            totals[pair] = count
    return totals


def counts_characters(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You count pairs of characters, not pairs of symbols.

    Joining a word to a text loses the borders of its symbols. `("ab", "c")` has one pair,
    `("ab", "c")`; the characters `a` and `b` are not symbols of that word.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        for pair in pairwise("".join(symbols)):
            totals[pair] += count
    return totals


def mixes_up_equal_text(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You treat pairs as equal when their joined text is equal.

    `("ab", "a")` and `("a", "ba")` both spell `aba` and still are two pairs. Use the tuple
    of both symbols as the key.

    Outcome: WRONG
    """
    totals: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    for symbols, count in words.items():
        for pair in pairwise(symbols):
            totals["".join(pair)] += count
            first.setdefault("".join(pair), pair)
    return {first[text]: total for text, total in totals.items()}


def ignores_order(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You count a pair and its mirror image as one.

    Sorting the two symbols, or putting them into a set, makes `("a", "b")` and
    `("b", "a")` the same key. A pair has a left and a right symbol.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        for left, right in pairwise(symbols):
            totals[min(left, right), max(left, right)] += count
    return totals


def lists_absent_pairs(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You list pairs that never occur, with a total of zero.

    Only pairs that stand somewhere are keys. Don't set up the dict with all combinations;
    and mind that reading `totals[pair]` of a `defaultdict` already creates the key.

    Outcome: WRONG
    """
    alphabet = {symbol for symbols in words for symbol in symbols}
    totals = dict.fromkeys(product(alphabet, repeat=2), 0)
    for symbols, count in words.items():
        for pair in pairwise(symbols):
            totals[pair] += count
    return totals


def joins_the_key(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You use the joined text of a pair as the key.

    A key must be a tuple of the two symbols. From `abc` alone nobody can tell whether the
    pair was `("ab", "c")` or `("a", "bc")`.

    Outcome: WRONG
    """
    totals: Counter[str] = Counter()
    for symbols, count in words.items():
        for left, right in pairwise(symbols):
            totals[left + right] += count
    return totals  # type: ignore[return-value]


def misses_the_last_pair(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You leave out the last pair of each word.

    A word of n symbols has n - 1 pairs, so the last index at which a pair starts is n - 2.
    `range` leaves out its end: `range(len(symbols) - 1)` is right.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        for at in range(len(symbols) - 2):
            totals[symbols[at], symbols[at + 1]] += count
    return totals


def breaks_on_the_empty_word(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You read the first symbol of a word before you know that it has one.

    A word may be the empty tuple, and then `symbols[0]` is an IndexError. A word of fewer
    than two symbols simply has no pairs.

    Outcome: RAISED
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        left = symbols[0]
        for right in symbols[1:]:
            totals[left, right] += count
            left = right
    return totals


def empties_the_table(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You take the words out of the table while you count.

    The caller goes on to use the table. Read it, with `words.items()` for example, and
    leave it as it is.

    Outcome: WRONG
    """
    totals: Counter[tuple[str, str]] = Counter()
    while words:
        symbols, count = words.popitem()
        for pair in pairwise(symbols):
            totals[pair] += count
    return totals


def repeats_every_word(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """You go through a word as many times as it occurs in the text.

    A count can be 10**15, and no loop gets that far. Go through each word once and add its
    count at every position.

    Outcome: TIMEOUT
    """
    totals: Counter[tuple[str, str]] = Counter()
    for symbols, count in words.items():
        for _ in range(count):
            totals.update(pairwise(symbols))
    return totals
