"""The suite of `train_bpe`."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given
from strategies import lopsided_tables, merged, recounted, trained, word_tables

from grader.expect import holds, same
from grader.explain import LEFT_OUT, first_difference, held, paired, spelled

TEA = {"tea": 6, "teas": 2, "eat": 5, "eats": 3, "seat": 4, "set": 3}
TEA_MERGES = [
    ("e", "a"),
    ("ea", "t"),
    ("t", "ea"),
    ("s", "eat"),
    ("e", "t"),
    ("eat", "s"),
    ("s", "et"),
    ("tea", "s"),
]

TEXT = """
The miller's daughter counts the sacks: three sacks of wheat, three sacks of rye, and one sack
that nobody will name. "The mill is still," says the miller, "and a still mill mills nothing."
Nothing, nothing, nothing at all, sings the wheel; the wheel sings and the river rings, till the
millstone, grinding, finds its voice again. Was it ever still? Café Moulin is still open at 11,
and there they tell the tale till three: the daughter, the wheel, the river, and the nameless sack.
"""


@pytest.mark.example
@pytest.mark.parametrize(
    ("table", "num_merges", "merges"),
    [
        (TEA, 4, TEA_MERGES[:4]),
        (TEA, 100, TEA_MERGES),
        ({"aaabdaaabac": 1}, 3, [("a", "a"), ("a", "b"), ("aa", "ab")]),
    ],
)
def test_examples(solution, table, num_merges, merges):
    """The examples of the statement."""
    same(solution.train_bpe(table, num_merges), merges)


def test_nothing_to_learn(solution):
    """With no merges to make, no words, or only words of one character the result is empty."""
    for table, num_merges in (({}, 5), ({}, 0), ({"a": 9, "b": 2}, 3), ({"ab": 1}, 0)):
        same(solution.train_bpe(table, num_merges), [])


@given(tables=word_tables(letters="ab", size=3, tables=5))
@example(tables=[{"aaa": 1}, {"aaaa": 1}, {"aaaaa": 1}, {"abbb": 1}, {"abab": 1, "ba": 1}])
def test_runs(solution, tables):
    """In a run of one symbol every position counts, and the merge goes from left to right."""
    for table in tables:
        same(solution.train_bpe(table, 12), trained(table, 12)[0])


@given(tables=word_tables(letters="ab"))
@example(tables=[{"bab": 1}, {"abb": 1}, {"bbba": 1}, {"aabb": 1}, {"bb": 2, "ab": 1}])
@example(tables=[{"aaab": 3}, {"aab": 1, "aaba": 1}])
def test_best_pair(solution, reference, tables):
    """Each round learns the pair with the highest count, and of equals the smallest."""
    for table in tables:
        same(solution.train_bpe(table, 12), reference.train_bpe(table, 12))


@given(tables=word_tables(letters="abc"))
@example(tables=[{"ab": 1, "abc": 1, "bcd": 1, "bc": 1}, {"xab": 1, "ab": 5, "xa": 6}])
@example(tables=[{"DCBBABCDCBABCD": 1}])
def test_replay(solution, tables):
    """Replayed and recounted, every merge was the best pair of its round."""
    for table in tables:
        words, counts = [list(word) for word in table], list(table.values())
        for n, pair in enumerate(solution.train_bpe(table, 12), 1):
            stats, _ = recounted(words, counts)
            holds(pair in stats, f"round {n} learns a pair that no word holds any more", pair)
            same(pair, min(stats, key=lambda each: (-stats[each], each)), f"round {n} differs")
            words = [merged(symbols, pair) for symbols in words]


@given(tables=word_tables(letters="abcd"))
@example(tables=[{"abc": 1}, {"ab": 1}, {"aaaab": 1}])
def test_learns_to_the_end(solution, tables):
    """Learning goes on until every word is one symbol, if enough merges are asked for."""
    for table in tables:
        words = [list(word) for word in table]
        merges = solution.train_bpe(table, 1000)
        for pair in merges:
            words = [merged(symbols, pair) for symbols in words]
        left = [" ".join(symbols) for symbols in words if len(symbols) > 1]
        holds(not left, f"after your merges there are still pairs in {left}", merges)


@given(tables=word_tables(letters="abcd", tables=3))
@example(tables=[{"ba": 1, "ab": 1}, {"bbb": 1, "aaa": 1, "dddd": 1, "cccc": 1}])
def test_order_of_the_table(solution, tables):
    """The order of the words in the table changes nothing."""
    for table in tables:
        turned = dict(reversed(table.items()))
        same(solution.train_bpe(turned, 8), solution.train_bpe(table, 8))


@given(tables=word_tables(letters="abc", tables=3))
def test_fewer_merges(solution, tables):
    """Asking for fewer merges gives the beginning of the same list."""
    for table in tables:
        merges = solution.train_bpe(table, 7)
        same(solution.train_bpe(table, 3), merges[:3])


@given(tables=word_tables(letters="abc", tables=3))
@example(tables=[{"ba": 2**53 + 1, "ab": 2**53}, {"ba": 2**32 + 1, "ab": 2}])
def test_huge_counts(solution, reference, tables):
    """Counts are exact however large: a factor on all of them changes nothing."""
    for table in tables:
        merges = reference.train_bpe(table, 8)
        same(solution.train_bpe(table, 8), merges)
        same(solution.train_bpe({word: n * 10**18 for word, n in table.items()}, 8), merges)


@given(tables=word_tables(letters="abc"))
@example(tables=[{"abc": 1}])
def test_any_characters(solution, reference, tables):
    """Other characters in the same order give the same merges, spelled with them."""
    other = str.maketrans("abc", " é\U0001f375")
    for table in tables:
        expected = [
            (left.translate(other), right.translate(other))
            for left, right in reference.train_bpe(table, 8)
        ]
        renamed = {word.translate(other): n for word, n in table.items()}
        same(solution.train_bpe(renamed, 8), expected)


def test_text(solution, reference):
    """Ordinary text is learned like everything else, to the end."""
    table = dict(Counter(TEXT.split()))
    same(solution.train_bpe(table, 1000), reference.train_bpe(table, 1000))


@given(tables=word_tables(letters="abcdefgh", tables=3))
@example(tables=[{"hgfedcba": 1, "badcfehg": 1}])
def test_hash_seed(solution, twin, tables):
    """The result is the same under every PYTHONHASHSEED."""
    for table in tables:
        merges = solution.train_bpe(table, 8)
        same(twin.train_bpe(table, 8), merges, "another hash seed gives other merges")


@pytest.mark.stretch
def test_untouched_words(solution, reference):
    """A word that a merge does not touch costs nothing in that round."""
    busy, idle = lopsided_tables(busy=150, idle=1500)
    same(solution.train_bpe(busy | idle, 800), reference.train_bpe(busy, 800))


# --- diagnosis and explanation --------------------------------------------------------

#: Small calls that tell the known mistakes apart, the most telling ones first. Only the last
#: one asks for more merges than there are: it hangs who waits for another pair.
BANK = [
    ({"abbabb": 3, "aaaabb": 1}, 5),
    (TEA, 6),
    ({"abab": 1, "bba": 1}, 4),
    ({"bbba": 1}, 3),
    ({"aaab": 1}, 3),
    ({"aaaaa": 1}, 3),
    ({"aaaa": 1}, 2),
    ({"abbb": 1}, 3),
    ({"baba": 1}, 2),
    ({"ababa": 1}, 3),
    ({"abab": 1, "ba": 1}, 3),
    ({"aaa": 1, "aaab": 1}, 3),
    ({"aab": 1, "aaba": 1}, 3),
    ({"ab": 1, "abc": 1, "bcd": 1, "bc": 1}, 4),
    ({"xab": 1, "ab": 5, "xa": 6}, 2),
    ({"hgfedcba": 1}, 3),
    ({"bab": 1}, 1),
    ({"abb": 1}, 2),
    ({"aabb": 1}, 3),
    ({"bb": 2, "ab": 1}, 1),
    ({"b": 2, "ab": 1}, 1),
    ({"a": 1, "aab": 2}, 1),
    ({"é": 1, "éa": 2}, 1),
    ({"aé": 1}, 1),
    ({"ba": 2**31}, 1),
    ({"ba": 2**53 + 1, "ab": 2**53}, 1),
    ({"ba": 2**60 + 1, "ab": 2**60}, 1),
    ({}, 0),
    ({"abc": 1}, 4),
]

#: Who answers rightly and misses a stretch case: the case and how it ends, and who that may be.
COSTS = {("untouched_words", "TIMEOUT"): ["recounts_everything"]}

#: Characters times rounds; a longer training is not explained.
EXPLAINED = 200_000


def explain(reference, args, result):
    """The first round that differs, the counts of both pairs in it, and the words they are in."""
    table, num_merges = args
    due, yours = reference.train_bpe(table, num_merges), result.value
    at = first_difference(yours, due)
    if at is None or at * sum(map(len, table)) > EXPLAINED:
        return []
    words = {word: list(word) for word in table}
    for pair in due[:at]:
        words = {word: merged(symbols, pair) for word, symbols in words.items()}
    stats, _ = recounted(list(words.values()), list(table.values()))
    rows = [("round 1" if at == 1 else f"rounds 1 to {at}", "as due", "")] if at else []
    candidates = [*due[at : at + 1], *yours[at : at + 1]]
    if at < len(due):
        rows.append(("due", paired(due[at]), f"count {stats[due[at]]}"))
    else:
        rows.append(("due", "nothing", _reason_to_stop(stats, num_merges)))
    if at < len(yours):
        rows.append(("yours", paired(yours[at]), _remark(stats, yours[at], due, at)))
    else:
        rows.append(("yours", "nothing", "you stop here"))
    holders = [
        (f"word × {table[word]}", spelled(symbols, at=places[0]), told)
        for word, symbols in words.items()
        if (told := held(symbols, candidates))
        and (places := [n for n, pair in enumerate(pairwise(symbols)) if pair in candidates])
    ]
    return rows + (holders if len(holders) <= 5 else [*holders[:4], LEFT_OUT])


def _reason_to_stop(stats, num_merges):
    if stats:
        return f"{num_merges} merges were asked for"
    return "no word has two symbols"


def _remark(stats, pair, due, at):
    """What speaks against a pair in the round after `at` of them."""
    if pair in due[:at]:
        return f"count 0: round {due.index(pair) + 1} merged it everywhere"
    if pair not in stats:
        return "count 0: no word holds it"
    if at < len(due) and stats[pair] == stats[due[at]]:
        return f"count {stats[pair]}, a tie: the smaller pair goes first"
    return f"count {stats[pair]}"
