"""The only home of Hypothesis strategies.

Bugs in byte-pair encoding live in collisions, so everything here is made of two or three
letters, of runs and repeats; prose finds none of them. Each strategy makes few draws (a
whole word table is one string of letters and spaces), which keeps an example under a
millisecond and shrinks to a short string.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, count, islice, pairwise, product
from random import Random
from string import ascii_letters

from hypothesis import strategies as st

#: Symbols a letter may stand for: longer ones that are made of each other's letters.
LONG_SYMBOLS = {"a": "a", "b": "b", "c": "ab", "d": "ba", "e": "aba"}

#: Factors for counts; the largest leaves 32 and 53 bits behind.
SCALES = (1, 1, 1, 3, 10**15)


# --- pair_counts, merge_pair, encode_bpe ----------------------------------------------
# One draw of bytes makes the few inputs of an example. A byte stands for a short word, and
# the zero byte for the empty one, so that shrinking the bytes removes and shortens words.

#: Symbols that are made of each other's letters, and two that hold a space.
TANGLED_SYMBOLS = ("a", "b", "ab", "ba", " ", "a b")

#: What no small table knows: blanks, marks other tokenizers use, signs of several code units.
STRANGERS = (*" \n?|\u2581\u0120\u00e9\U0001f642", "##", "</w>", "e\u0301")


@cache
def short_words(symbols: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The 256 shortest words over `symbols`, from the empty one on: one for each byte."""
    by_length = (product(symbols, repeat=length) for length in count())
    return tuple(islice(chain.from_iterable(by_length), 256))


def words_of(data: bytes, letters: str) -> list[str]:
    """Two bytes make a word; a pair of zero bytes makes none."""
    spelled = ["".join(short_words(tuple(letters))[byte]) for byte in data]
    joined = ("".join(spelled[at : at + 2]) for at in range(0, len(spelled), 2))
    return [word for word in joined if word]


def chunks(data: bytes, size: int) -> list[bytes]:
    """The bytes in pieces of that size, the last one perhaps shorter."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def symbol_tables(
    *, symbols: tuple[str, ...] = ("a", "b"), max_size: int = 20
) -> st.SearchStrategy[list[dict[tuple[str, ...], int]]]:
    """A few word tables of `pair_counts`, each of up to three words."""
    short = short_words(symbols)

    def table(data: bytes) -> dict[tuple[str, ...], int]:
        return {short[word]: 1 + n for word, n in zip(data[::2], data[1::2], strict=False)}

    return st.binary(min_size=8, max_size=max_size).map(
        lambda data: [table(chunk) for chunk in chunks(data, 6)]
    )


def merge_cases(
    *, symbols: tuple[str, ...] = ("a", "b"), max_size: int = 16
) -> st.SearchStrategy[list[tuple[tuple[str, ...], tuple[str, str]]]]:
    """A few arguments of `merge_pair`: a word and a pair, mostly one that stands in it."""
    short, strangers = short_words(symbols), list(product(symbols, repeat=2))

    def case(data: bytes) -> tuple[tuple[str, ...], tuple[str, str]]:
        word = tuple(chain.from_iterable(short[byte] for byte in data[1:]))
        pairs = [*pairwise(word), *strangers]
        return word, pairs[data[0] % len(pairs)]

    return st.binary(min_size=8, max_size=max_size).map(
        lambda data: [case(chunk) for chunk in chunks(data, 4)]
    )


def trained(
    words: Mapping[str, int], num_merges: int
) -> tuple[list[tuple[str, str]], dict[str, list[str]]]:
    """A plain trainer: the merges of a word table, and how each word stood at the end."""
    table = {word: list(word) for word in words}
    merges: list[tuple[str, str]] = []
    while len(merges) < num_merges:
        totals: dict[tuple[str, str], int] = {}
        for word, symbols in table.items():
            for pair in pairwise(symbols):
                totals[pair] = totals.get(pair, 0) + words[word]
        if not totals:
            break
        most = max(totals.values())
        best = min(pair for pair in totals if totals[pair] == most)
        merges.append(best)
        for word, symbols in table.items():
            if best[0] in symbols:
                table[word] = merged(symbols, best)
    return merges, table


def merged(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    """A copy of the symbols with the pair merged from left to right."""
    left, right = pair
    out: list[str] = []
    for symbol in symbols:
        if symbol == right and out and out[-1] == left:
            out[-1] = left + right
        else:
            out.append(symbol)
    return out


def encoding_cases(
    *, letters: str = "ab", num_merges: int = 10, max_size: int = 16
) -> st.SearchStrategy[tuple[list[str], list[tuple[str, str]]]]:
    """Up to four words, and merges that a plain trainer learned from one of them and others."""

    def build(data: bytes) -> tuple[list[str], list[tuple[str, str]]]:
        merges, _ = trained(Counter(words_of(data[6:], letters)), num_merges)
        return words_of(data[:8], letters), merges

    return st.binary(min_size=10, max_size=max_size).map(build)


def training_cases(
    *, letters: str = "ab", num_merges: int = 10, max_size: int = 10
) -> st.SearchStrategy[tuple[dict[str, list[str]], list[tuple[str, str]]]]:
    """The words of a small training, each as it stood at the end, and the merges."""

    def build(data: bytes) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
        merges, table = trained(Counter(words_of(data, letters)), num_merges)
        return table, merges

    return st.binary(max_size=max_size).map(build)


# --- train_bpe, merge_and_update ------------------------------------------------------

Pair = tuple[str, str]
#: The arguments of `merge_and_update`: words, counts, stats, where, pair.
State = tuple[list[list[str]], list[int], dict[Pair, int], dict[Pair, set[int]], Pair]


def recounted(
    words: list[list[str]], counts: list[int]
) -> tuple[dict[Pair, int], dict[Pair, set[int]]]:
    """What a trainer's `stats` and `where` must say about these words."""
    stats: dict[Pair, int] = {}
    where: dict[Pair, set[int]] = {}
    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            stats[pair] = stats.get(pair, 0) + counts[i]
            where.setdefault(pair, set()).add(i)
    return stats, where


def merge_state(
    words: Iterable[Sequence[str]],
    pair: Pair,
    *,
    counts: list[int] | None = None,
    stale: Iterable[tuple[Pair, int]] = (),
) -> State:
    """A true state of these words (a string is a word of letters), with stale entries added."""
    table = [list(word) for word in words]
    numbers = counts or [1] * len(table)
    stats, where = recounted(table, numbers)
    for each, i in stale:
        where.setdefault(each, set()).add(i)
    return table, numbers, stats, where, pair


class Fixed(list[State]):
    """Chosen states for an `@example`, which Hypothesis would else spend its time on printing."""

    __repr__ = object.__repr__


def fresh(state: State) -> State:
    """A copy to play with: `merge_and_update` changes what it is given."""
    words, counts, stats, where, pair = state
    indices = {each: set(found) for each, found in where.items()}
    return [list(word) for word in words], list(counts), dict(stats), indices, pair


def syllables(letters: str) -> tuple[str, ...]:
    """The 40 shortest words over `letters`, from the empty one on."""
    return tuple("".join(word) for word in short_words(tuple(letters))[:40])


def counted_words(data: bytes, letters: str) -> Counter[str]:
    """Two bytes make a word of two syllables, seen once or twice; two zero bytes make none."""
    short = syllables(letters)
    table: Counter[str] = Counter()
    for left, right in zip(data[::2], data[1::2], strict=False):
        word = short[left % len(short)] + short[right % len(short)]
        if word:
            table[word] += 1 + left // 160
    return table


def word_tables(
    *, letters: str = "ab", size: int = 9, tables: int = 4
) -> st.SearchStrategy[list[dict[str, int]]]:
    """A few crowded word tables of `train_bpe`, each of `size // 2` words full of repeats."""

    def table(data: bytes) -> dict[str, int]:
        scale = SCALES[data[0] % len(SCALES)]
        return {word: n * scale for word, n in counted_words(data[1:], letters).items()}

    return st.binary(min_size=size * (tables - 1) + 1, max_size=size * tables).map(
        lambda data: [table(chunk) for chunk in chunks(data, size)]
    )


def merge_states(
    *, letters: str = "abcde", size: int = 9, states: int = 4
) -> st.SearchStrategy[list[State]]:
    """A few states whose symbols are made of each other's letters, some entries stale.

    The pair is mostly one that occurs; it can be one that only stale entries know, or none.
    """

    def state(data: bytes) -> State:
        choice, bits, scale, *rest = data.ljust(3, b"\0")
        table = counted_words(bytes(rest), letters)
        words = [[LONG_SYMBOLS[letter] for letter in word] for word in table]
        counts = [n * SCALES[scale % len(SCALES)] for n in table.values()]
        _, where = recounted(words, counts)
        pairs = [*where, ("b", "bab"), ("bab", "b")]
        entries = enumerate(product(pairs[:-1], range(len(words))))
        stale = [(each, i) for at, (each, i) in entries if bits >> at % 11 & 1]
        return merge_state(words, pairs[choice % len(pairs)], counts=counts, stale=stale)

    return st.binary(min_size=size * (states - 1) + 1, max_size=size * states).map(
        lambda data: [state(chunk) for chunk in chunks(data, size)]
    )


def lopsided_tables(*, busy: int, idle: int) -> tuple[dict[str, int], dict[str, int]]:
    """A few busy words of letters, and many idle numbers of twelve digits, each seen once.

    In a table of both, the first merges all fall into the busy words: the counts of the
    others are far below.
    """
    random = Random(busy + idle)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = {"".join(random.sample(letters, 10)): 10**9 + i * 10**6 for i in range(busy)}
    numbers = random.sample(range(10**11, 10**12), idle)
    return words, {str(number): 1 for number in numbers}


# --- train_byte_bpe -------------------------------------------------------------------
# A law trains on many documents at once: they are joined by a special token, so that one
# call, which may start processes, judges them all. A document is spelled with pieces, one
# byte each; the zero byte spells nothing, so that shrinking empties and then drops documents.


def documents(
    *, pieces: Sequence[str], count: int = 20, size: int = 6
) -> st.SearchStrategy[list[str]]:
    """Up to `count` documents of up to `size` pieces; `pieces[0]` is the empty one."""

    def build(data: bytes) -> list[str]:
        spelled = [pieces[byte % len(pieces)] for byte in data]
        joined = ("".join(spelled[at : at + size]) for at in range(0, len(data), size))
        return [document for document in joined if document]

    return st.binary(min_size=count * size, max_size=count * size).map(build)


def letter_pieces(letters: str) -> list[str]:
    """The 256 shortest strings over `letters`, from the empty one on."""
    return ["".join(word) for word in short_words(tuple(letters))]


#: Special tokens that begin, contain or overlap each other, or mean something to a pattern.
TANGLED_TOKENS = (
    "<s>", "<s>ab", "<|end|>", "<|end|><|end|>", "cc", "ccc", "dc", "cd", "b c", "a.b", "[x]",
    "*+(", "|", "$", "\\d", "\u00e9", "<\u4f60>",
)  # fmt: skip
#: What a document with such tokens is made of: the tokens, parts of them, and look-alikes.
TANGLED_PIECES = (
    "", *TANGLED_TOKENS, *("a", "b", "c", "d", "s", "x", "<", ">", " ", "ab", "end", "axb", "7")
)  # fmt: skip


def tangled_cases(*, count: int = 20) -> st.SearchStrategy[tuple[list[str], list[str]]]:
    """Special tokens in any order, and documents that are full of them."""
    return st.tuples(
        st.permutations(TANGLED_TOKENS), documents(pieces=TANGLED_PIECES, count=count, size=8)
    )


def even_corpus(words: Sequence[str], *, delimiter: str, size: int) -> bytes:
    """A corpus of about `size` bytes in which every word occurs equally often.

    The order of the merges then hangs on every single word: one that is cut in two by the
    border of a chunk falls behind all others. The last pair to be merged occurs once, in `!!`,
    and whatever else a wrong border makes up goes before it.
    """
    times = size // len("".join(words).encode())
    shuffled = [*words] * times
    Random(size).shuffle(shuffled)
    lines = ["".join(shuffled[at : at + 40]) for at in range(0, len(shuffled), 40)]
    return delimiter.join([*lines, "!!"]).encode()


def lopsided_corpus(*, idle: int, busy: int = 2, times: int = 1600) -> bytes:
    """A corpus whose first merges all fall into a few busy words of 52 letters.

    The idle words are different numbers of seven digits, so they have few different pairs,
    and with enough `times` of the busy words, none that counts as much as one of theirs.
    """
    random = Random(idle)
    words = ["".join(random.sample(ascii_letters, 52)) for _ in range(busy)]
    numbers = map(str, random.sample(range(10**6, 10**7), idle))
    return "\n".join([*words * times, *numbers]).encode()


def long_pretoken(length: int) -> bytes:
    """A corpus of one pre-token: `length` random letters of two."""
    return "".join(Random(length).choices("ab", k=length)).encode()
