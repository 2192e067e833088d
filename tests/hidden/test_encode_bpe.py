"""The suite of `encode_bpe`. Every list of merges here is one that training produces."""

# The curly quotes are meant. ruff: noqa: RUF001

import random
import re
import string
from collections import Counter
from itertools import accumulate, pairwise, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import STRANGERS, encoding_cases, merged, trained, training_cases

from grader.expect import holds, same
from grader.explain import LEFT_OUT, paired, shown, spelled

#: Learned from tea 6, teas 2, eat 5, eats 3, seat 4, set 3.
TEA = [("e", "a"), ("ea", "t"), ("t", "ea"), ("s", "eat"), ("e", "t"), ("eat", "s")]

#: Learned from ab 10, bcd 6.
ABCD = [("a", "b"), ("b", "c"), ("bc", "d")]

#: Ordinary text: accents, curly quotes, digits, words that share their endings.
TEXT = """
“There’s no cure for curiosity,” the doctor said, “only for cold coffee.” In the café behind
the theatre they’d been talking for hours: of weather, of other weather, of the naïve
brother-in-law whose resumé—three pages!—listed “thinking” as a hobby. Nobody was listening,
neither the bathing gulls nor the 12 hungry seals. “Isn’t it odd,” she added, “that the more
they’re fed, the hungrier they get?” He’d no answer; he went on reading, rather gladly.
"""


@pytest.mark.example
@pytest.mark.parametrize(
    ("word", "symbols"),
    [
        ("seats", ["seat", "s"]),
        ("steat", ["s", "t", "eat"]),
        ("eats!", ["eats", "!"]),
    ],
    ids=["seats", "steat", "eats!"],
)
def test_examples(solution, word, symbols):
    """The examples of the statement."""
    same(solution.encode_bpe(word, TEA), symbols)


@given(case=encoding_cases(letters="abc"))
@example(case=(["", "a", "ab"], []))
@example(case=(["", "x"], TEA))
@example(case=(["aaa", "aaaa"], [("a", "a")]))
def test_same_text(solution, case):
    """Joined together, the symbols are the word."""
    words, merges = case
    for word in words:
        yours = solution.encode_bpe(word, merges)
        holds("".join(yours) == word, f"joined, your symbols read {''.join(yours)!r}", yours)


@given(case=encoding_cases(), stranger=st.sampled_from(STRANGERS))
def test_strangers(solution, case, stranger):
    """What stands on one side of an unknown character has no effect on the other side."""
    words, merges = case
    expected = []
    for word in words:
        expected += [*stranger, *solution.encode_bpe(word, merges)]
    text = "".join(stranger + word for word in words)
    same(solution.encode_bpe(text, merges), expected)


@given(case=encoding_cases(num_merges=1))
@example(case=(["aaa", "aaaaa"], [("a", "a")]))
@example(case=(["abab", "aab"], [("a", "b")]))
def test_leftmost_place(solution, case):
    """A single merge is made wherever its pair stands, beginning at the left."""
    words, merges = case
    for word in words:
        expected = re.findall("|".join([*map("".join, merges), "."]), word)
        same(solution.encode_bpe(word, merges), expected)


@given(case=encoding_cases())
def test_nothing_left(solution, case):
    """At the end, no two adjacent symbols are a merge."""
    words, merges = case
    for word in words:
        yours = solution.encode_bpe(word, merges)
        left = [pair for pair in pairwise(yours) if pair in merges]
        holds(not left, f"{left[0] if left else None} can still be merged", yours)


@given(case=encoding_cases(letters="abc"))
@example(case=(["teat", "steat", "tease", "east", "seats"], TEA))
@example(case=(["abcd", "bcd", "abcdabcd"], ABCD))
def test_lowest_rank_first(solution, reference, case):
    """The pair learned first is merged first, wherever it stands."""
    words, merges = case
    for word in words:
        same(solution.encode_bpe(word, merges), reference.encode_bpe(word, merges))


@given(case=encoding_cases())
def test_replay(solution, case):
    """The answer is what comes of making every merge of the list in turn, as training did."""
    words, merges = case
    for word in words:
        expected = list(word)
        for pair in merges:
            expected = merged(expected, pair)
        same(solution.encode_bpe(word, merges), expected)


@given(case=training_cases())
@example(case=({}, []))
def test_own_words(solution, case):
    """A word of the training text comes out as training left it."""
    table, merges = case
    for word, symbols in table.items():
        same(solution.encode_bpe(word, merges), symbols)


def test_ordinary_text(solution):
    """The words of an ordinary text come out as training on it left them."""
    merges, table = trained(Counter(TEXT.split()), num_merges=60)
    for word, symbols in table.items():
        same(solution.encode_bpe(word, merges), symbols)


# Both cases know their answer beforehand and have few merges for their length: a solution that
# passes them pays for reading 100,000 characters, and for little else.


@pytest.mark.stretch
def test_one_long_run(solution):
    """One letter, 100,000 times: the time does not grow with the square of the length."""
    same(solution.encode_bpe("a" * 100_000, [("a", "a")]), ["aa"] * 50_000)


@pytest.mark.stretch
def test_long_random_word(solution):
    """100,000 random letters and 3,000 merges: the time does not grow with their product."""
    chance = random.Random(0)
    left, right = [chr(0x100 + n) for n in range(128)], string.ascii_letters
    merges = chance.sample([*product(left, right)], 3000)
    others = "".join(map((5 * right).__getitem__, chance.randbytes(90_000)))
    symbols = []
    for n, pair in enumerate(chance.choices(merges, k=5000)):
        symbols += [*others[18 * n : 18 * n + 18], "".join(pair)]
    same(solution.encode_bpe("".join(symbols), merges), symbols)


# --- diagnosis and explanation --------------------------------------------------------

#: Small calls that tell the known mistakes apart; training makes these lists, too.
BANK = [
    ("", TEA),
    ("x", TEA),
    ("xeatx", TEA),
    ("east", TEA),
    ("seats", TEA),
    ("steat", TEA),
    ("teat", TEA),
    ("tease", TEA),
    ("eats!", TEA),
    ("sea teas", TEA),
    ("abcd", ABCD),
    ("bcd", ABCD),
    ("abcbcd", ABCD),
    ("bcabcd", ABCD),
    ("ab", []),
    ("aaa", [("a", "a")]),
    ("aaaa", [("a", "a")]),
    ("aaaaa", [("a", "a")]),
    ("aab", [("a", "b")]),
    ("abab", [("a", "b")]),
    ("a b", [("a", "b")]),
    ("aaaa", [("a", "a"), ("aa", "a")]),
    ("aaaaaa", [("a", "a"), ("aa", "aa")]),
    ("baaaaaa", [("a", "a"), ("aa", "aa"), ("aa", "a")]),
    ("bbbbbba", [("b", "b"), ("bb", "b")]),
    ("aabaaaab", [("a", "a"), ("aa", "a")]),
    ("bba", [("b", "a"), ("b", "b"), ("b", "ba")]),
    ("baaa", [("a", "a"), ("b", "aa"), ("b", "a")]),
    ("bbabb", [("b", "b"), ("a", "b"), ("a", "bb")]),
    ("babaaaa", [("b", "a"), ("a", "a"), ("ba", "ba")]),
    ("baaababa", [("a", "a"), ("aa", "b"), ("b", "a")]),
    ("babbba", [("b", "b"), ("a", "b"), ("a", "bb"), ("abb", "b")]),
    ("abbbabaa", [("b", "b"), ("a", "bb"), ("bb", "a"), ("a", "b")]),
]

#: Mistakes that no call of the bank tells apart, and why.
EQUIVALENT = {
    frozenset({"scans_after_every_merge", "recurses_for_every_merge"}): (
        "both are right on short words; one that tells them apart takes too long for a bank"
    ),
}

#: Who answers rightly and misses a stretch case: the case and how it ends, and who that may be.
COSTS = {
    ("one_long_run", "TIMEOUT"): ["scans_after_every_merge", "recurses_for_every_merge"],
    ("one_long_run", "RecursionError"): ["recurses_for_every_merge"],
    ("one_long_run", "MEMORY"): ["recurses_for_every_merge"],  # each call keeps the whole word
    ("long_random_word", "TIMEOUT"): ["scans_after_every_merge", "recurses_for_every_merge"],
    ("long_random_word", "RecursionError"): ["recurses_for_every_merge"],
    ("long_random_word", "MEMORY"): ["recurses_for_every_merge"],
}

#: A thousand letters in order, merged one after the other: who recurses gets no further.
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 1100)))
PROBES = [(LETTERS, [(LETTERS[:n], LETTERS[n]) for n in range(1, len(LETTERS))])]

#: Longer words are not explained.
EXPLAINED = 1000


def explain(reference, args, result):
    """The merges in order of rank, up to the first that the answer rules out."""
    word, merges = args
    yours = result.value
    if len(word) > EXPLAINED:
        return []
    if "".join(yours) != word or "" in yours:
        return [_other_text(word, yours)]
    ranks, kept = {pair: rank for rank, pair in enumerate(merges)}, _borders(yours)
    rounds, symbols, broken = [], list(word), set()
    while not broken and (known := [pair for pair in pairwise(symbols) if pair in ranks]):
        best = min(known, key=ranks.__getitem__)
        rounds.append((best, symbols, merged(symbols, best)))
        symbols = rounds[-1][2]
        broken = kept - _borders(symbols)
    place = min(broken or _borders(symbols) - kept, default=None)
    if place is None:
        return []
    rows = []
    for pair, before, after in rounds:
        told = f"{_around(before, place)} → {_around(after, place)}"
        rows.append((f"rank {ranks[pair]} {paired(pair)}", told, ""))
    if broken:
        rows[-1] = (*rows[-1][:2], _instead(rounds[-1][1], yours, ranks, place))
    else:
        made = shown(yours[_index(yours, place)])
        rows.append(("no merge left", _around(symbols, place), f"you went on to {made}"))
    return rows if len(rows) <= 8 else [LEFT_OUT, *rows[-7:]]


def _other_text(word, yours):
    if "" in yours:
        return "joined", f"symbol {yours.index('')} of your answer is empty", ""
    text = "".join(yours)
    if not text:
        return "joined", "your answer is empty", f"the word is {_near(word, 0)}"
    at = next((n for n, (a, b) in enumerate(zip(text, word, strict=False)) if a != b), len(word))
    told = f"{_around(yours, min(at, len(text)))} → {_near(text, at)}"
    return "joined", told, f"the word is {_near(word, at) or 'empty'}"


def _near(text, at):
    """The text, or some of it around an index, as one symbol is shown."""
    start, end = max(0, at - 20), at + 20
    return "…" * (start > 0) + "".join(map(shown, text[start:end])) + "…" * (end < len(text))


def _borders(symbols):
    """Where one symbol ends and the next begins, counted in characters."""
    return set(accumulate(map(len, symbols[:-1])))


def _index(symbols, place):
    """The symbol that ends at that character, or holds it."""
    return sum(end < place for end in accumulate(map(len, symbols)))


def _around(symbols, place):
    return spelled(symbols, at=_index(symbols, place), room=16)


def _instead(before, yours, ranks, place):
    """What the answer has where the two symbols at `place` had to be merged."""
    at, mine = _index(before, place), yours[_index(yours, place) :][:2]
    due = left, right = tuple(before[at : at + 2])
    further = []
    if len(mine[0]) > len(left):
        further.append(("left", tuple(before[at - 1 : at + 1])))
    if len(mine[1]) > len(right):
        further.append(("right", tuple(before[at + 1 : at + 3])))
    for side, pair in further:
        if pair == due:
            return f"you merged {paired(pair)} one place further {side}"
        if pair in ranks:
            return f"you merged {paired(pair)}, rank {ranks[pair]}, here"
    return f"you have {spelled(mine)} here" if further else "you left these two apart"
