"""The generators are tested, too: what they can make, and that all they make is valid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, pairwise
from typing import Any, TypeVar

import pytest
import strategies
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from grader import catalog

T = TypeVar("T")
Pair = tuple[str, str]

REPEATABLE = settings(
    database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
few = settings(REPEATABLE, max_examples=40)

#: Learned from tea 6, teas 2, eat 5, eats 3, seat 4, set 3.
TEA = [("e", "a"), ("ea", "t"), ("t", "ea"), ("s", "eat"), ("e", "t"), ("eat", "s")]
TEA_WORDS = {"tea": 6, "teas": 2, "eat": 5, "eats": 3, "seat": 4, "set": 3}

HUGE = 10**15


def find_any(strategy: st.SearchStrategy[T], condition: Callable[[T], Any]) -> T:
    """Something the strategy makes within a few hundred examples; fails if it makes none."""
    asked = settings(REPEATABLE, max_examples=500, phases=[Phase.generate])
    return find(strategy, lambda value: bool(condition(value)), settings=asked)


def minimal(
    strategy: st.SearchStrategy[T], condition: Callable[[T], Any] = lambda value: True
) -> T:
    """The simplest thing of that kind, as a shrunk counterexample would show it."""
    asked = settings(REPEATABLE, max_examples=500)
    return find(strategy, lambda value: bool(condition(value)), settings=asked)


def some(condition: Callable[[Any], Any]) -> Callable[[Iterable[Any]], bool]:
    """For strategies that make several inputs at once: one of them will do."""
    return lambda values: any(map(condition, values))


def places(word: Iterable[str], pair: Pair) -> list[int]:
    return [at for at, found in enumerate(pairwise(word)) if found == pair]


def overlaps(word: Iterable[str], pair: Pair) -> bool:
    """Whether two occurrences of the pair share a symbol."""
    return any(after - before == 1 for before, after in pairwise(places(word, pair)))


def top_pairs(words: Mapping[str, int]) -> list[Pair]:
    """The pairs of highest count before anything is merged."""
    totals: Counter[Pair] = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            totals[pair] += count
    return [pair for pair in totals if totals[pair] == max(totals.values())]


# --- words and tables ------------------------------------------------------------------


def test_short_words_are_the_shortest_ones() -> None:
    """Every byte has its word: by length, all of a length, the empty one first."""
    words = strategies.short_words(("a", "b"))
    assert len(set(words)) == len(words) == 256
    assert words[0] == ()
    assert [len(word) for word in words] == sorted(len(word) for word in words)
    assert sum(len(word) == 7 for word in words) == 2**7


def test_two_bytes_make_a_word_and_zeros_make_none() -> None:
    """So that shrinking bytes shortens words and removes them."""
    assert strategies.words_of(bytes(8), "ab") == []
    assert strategies.words_of(b"\1\0\0\2\1\2\3", "ab") == ["a", "b", "ab", "aa"]
    assert strategies.chunks(b"abcde", 2) == [b"ab", b"cd", b"e"]


def test_syllables_are_the_shortest_ones() -> None:
    """Forty, the empty one first, none twice."""
    made = strategies.syllables("ab")
    assert made[:7] == ("", "a", "b", "aa", "ab", "ba", "bb")
    assert len(set(made)) == len(made) == 40


def test_counted_words_come_once_or_twice() -> None:
    """Two bytes make a word of two syllables; a high first byte makes it count double."""
    assert strategies.counted_words(b"\0\0\1\2\1\2\xa1\0", "ab") == {"ab": 2, "a": 2}


@pytest.mark.parametrize(
    "condition",
    [
        lambda words: any("aaa" in word for word in words),
        lambda words: any(word[:2] * 2 == word[:4] and len(set(word)) == 2 for word in words),
        lambda words: len(top_pairs(words)) > 1,
        lambda words: any(count >= HUGE for count in words.values()),
        lambda words: len(set(words.values())) > 1,
        lambda words: any(len(word) == 1 for word in words),
        lambda words: not words,
    ],
    ids=["run", "repeat", "tie", "huge", "counts", "single", "empty"],
)
def test_word_tables_collide(condition: Callable[[dict[str, int]], bool]) -> None:
    """Runs, repeats, ties, huge counts, words without a pair: each is made soon."""
    find_any(strategies.word_tables(), some(condition))


def test_word_tables_shrink_to_little() -> None:
    """The simplest table with a pair is one word of two letters, seen once."""
    tables = minimal(strategies.word_tables(), some(lambda words: any(len(w) > 1 for w in words)))
    assert [table for table in tables if table] == [{"aa": 1}]


@few
@given(strategies.word_tables(letters="abc"))
def test_word_tables_are_valid(tables: list[dict[str, int]]) -> None:
    """Words of the letters asked for, none empty, counts positive."""
    for words in tables:
        assert all(word and set(word) <= set("abc") for word in words)
        assert all(count > 0 for count in words.values())


@pytest.mark.parametrize(
    "condition",
    [
        lambda words: any(overlaps(word, ("a", "a")) for word in words),
        lambda words: any(len(places(word, ("a", "b"))) > 1 for word in words),
        lambda words: len(words) > 1 and len({word[-1:] + word[:1] for word in words}) > 1,
        lambda words: () in words,
        lambda words: any(count > 200 for count in words.values()),
    ],
    ids=["overlap", "twice in a word", "borders", "empty word", "large count"],
)
def test_symbol_tables_collide(condition: Callable[[dict[tuple[str, ...], int]], bool]) -> None:
    """Overlaps, a pair twice in a word, words that meet, words of nothing."""
    find_any(strategies.symbol_tables(), some(condition))


def test_symbol_tables_have_pairs_of_equal_text() -> None:
    """`("ab", "a")` and `("a", "ba")` meet in one table, and so do symbols with spaces."""
    tangled = strategies.symbol_tables(symbols=strategies.TANGLED_SYMBOLS)

    def same_text(words: dict[tuple[str, ...], int]) -> bool:
        pairs = {pair for word in words for pair in pairwise(word)}
        return len({"".join(pair) for pair in pairs}) < len(pairs)

    find_any(tangled, some(same_text))
    find_any(tangled, some(lambda words: any("a b" in word for word in words)))


@pytest.mark.parametrize(
    "condition",
    [
        lambda word, pair: overlaps(word, pair),
        lambda word, pair: len(places(word, pair)) > 1 and not overlaps(word, pair),
        lambda word, pair: not places(word, pair),
        lambda word, pair: places(word, pair[::-1]) and pair[0] != pair[1],
        lambda word, pair: word[-1:] == pair[:1] and not places(word, pair),
        lambda word, pair: "".join(pair) in word,
        lambda word, pair: any(len(symbol) > 1 for symbol in pair) and places(word, pair),
        lambda word, pair: " " in pair and places(word, pair),
        lambda word, pair: any(
            "".join(two) == "".join(pair) and two != pair for two in pairwise(word)
        ),
        lambda word, pair: not word,
    ],
    ids=[
        "overlap", "twice", "absent", "mirror", "last symbol", "made before", "long symbols",
        "space", "equal text", "empty",
    ],
)  # fmt: skip
def test_merge_cases_collide(condition: Callable[[tuple[str, ...], Pair], bool]) -> None:
    """Whatever a merge can trip over is made soon."""
    cases = strategies.merge_cases(symbols=strategies.TANGLED_SYMBOLS)
    find_any(cases, some(lambda case: condition(*case)))


def test_merge_cases_shrink_to_little() -> None:
    """The simplest word with two occurrences has three symbols."""
    cases = minimal(strategies.merge_cases(), some(lambda case: len(places(case[0], case[1])) > 1))
    (case,) = [case for case in cases if len(places(*case)) > 1]
    assert case == (("a", "a", "a"), ("a", "a"))


# --- training --------------------------------------------------------------------------


def by_hand(words: Mapping[str, int], num_merges: int) -> list[Pair]:
    """The rule of training, written down as slowly as it reads."""
    texts = [(list(word), count) for word, count in words.items()]
    merges: list[Pair] = []
    for _ in range(num_merges):
        seen = [
            (symbols[at], symbols[at + 1])
            for symbols, count in texts
            for at in range(len(symbols) - 1)
        ]
        totals = {
            pair: sum(
                count
                for symbols, count in texts
                for at in range(len(symbols) - 1)
                if symbols[at : at + 2] == list(pair)
            )
            for pair in seen
        }
        if not totals:
            return merges
        best = sorted(pair for pair in totals if totals[pair] == max(totals.values()))[0]
        merges.append(best)
        for symbols, _ in texts:
            at = 0
            while at < len(symbols) - 1:
                if symbols[at : at + 2] == list(best):
                    symbols[at : at + 2] = ["".join(best)]
                at += 1
    return merges


def check_merges(merges: list[Pair]) -> None:
    """What every list that training makes obeys: no pair twice, and parts before wholes."""
    assert len(set(merges)) == len(merges)
    made: set[str] = set()
    for pair in merges:
        assert all(len(symbol) == 1 or symbol in made for symbol in pair)
        made.add("".join(pair))


def test_trained_gives_the_table_of_the_statement() -> None:
    """The worked example: eight merges, however many are asked for; six of them are TEA."""
    assert strategies.trained(TEA_WORDS, 6)[0] == TEA
    merges, table = strategies.trained(TEA_WORDS, 100)
    assert merges == [*TEA, ("s", "et"), ("tea", "s")]
    assert all(symbols == [word] for word, symbols in table.items())


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_run_gives_the_doubling_table(n: int) -> None:
    """A word of 2**n equal letters is halved until it is one symbol."""
    merges, table = strategies.trained({"a" * 2**n: 1}, 100)
    assert merges == [("a" * 2**level, "a" * 2**level) for level in range(n)]
    assert table == {"a" * 2**n: ["a" * 2**n]}


@few
@given(strategies.word_tables(letters="ab", tables=2), st.integers(0, 8))
def test_trained_is_the_rule(tables: list[dict[str, int]], num_merges: int) -> None:
    """A trainer that is written as slowly as the rule reads finds the same merges."""
    for words in tables:
        merges, table = strategies.trained(words, num_merges)
        assert merges == by_hand(words, num_merges)
        assert {word: "".join(symbols) for word, symbols in table.items()} == {w: w for w in words}


@few
@given(strategies.merge_cases(symbols=("a", "b", "ab")))
def test_merged_is_merge_pair(cases: list[tuple[tuple[str, ...], Pair]]) -> None:
    """The generators' own merge and the reference agree."""
    merge_pair = REFERENCE["merge_pair"].merge_pair
    for symbols, pair in cases:
        assert tuple(strategies.merged(list(symbols), pair)) == merge_pair(symbols, pair)


REFERENCE = {
    name: catalog.reference_module(catalog.find(name)) for name in ("merge_pair", "encode_bpe")
}


def leftmost_first(word: str, merges: list[Pair]) -> list[str]:
    """The best known wrong encoder."""
    symbols, at = list(word), 0
    while at < len(symbols) - 1:
        if (symbols[at], symbols[at + 1]) in merges:
            symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
            at = 0
        else:
            at += 1
    return symbols


def encoded(word: str, merges: list[Pair]) -> list[str]:
    answer: list[str] = REFERENCE["encode_bpe"].encode_bpe(word, merges)
    return answer


@pytest.mark.parametrize(
    "condition",
    [
        lambda words, merges: any("aaa" in word for word in words) and ("a", "a") in merges,
        lambda words, merges: any(
            encoded(word, merges) != leftmost_first(word, merges) for word in words
        ),
        lambda words, merges: any(len(encoded(word, merges)) > 2 for word in words),
        lambda words, merges: any(len(left + right) > 5 for left, right in merges),
        lambda words, merges: merges and any(merges[0] not in pairwise(word) for word in words),
        lambda words, merges: len(words) == 4 and len(merges) == 10,
        lambda words, merges: not words,
    ],
    ids=["run", "leftmost", "pieces", "long", "absent", "full", "no words"],
)
def test_encoding_cases_collide(condition: Callable[[list[str], list[Pair]], bool]) -> None:
    """Words that separate encoders are made soon."""
    find_any(strategies.encoding_cases(), lambda case: condition(*case))


def test_encoding_cases_shrink_to_little() -> None:
    """The simplest word in which the leftmost pair is the wrong one is short."""
    words, _ = minimal(
        strategies.encoding_cases(),
        lambda case: any(encoded(w, case[1]) != leftmost_first(w, case[1]) for w in case[0]),
    )
    assert len(words) == 1
    assert len(words[0]) <= 5


@few
@given(strategies.encoding_cases(letters="abc"))
def test_encoding_cases_are_trainable(case: tuple[list[str], list[Pair]]) -> None:
    """The words are words, and the merges are such as training makes."""
    words, merges = case
    assert all(words)
    assert len(words) <= 4
    check_merges(merges)


@few
@given(strategies.training_cases())
def test_training_cases_are_trainings(case: tuple[dict[str, list[str]], list[Pair]]) -> None:
    """Each word stands as the merges leave it."""
    table, merges = case
    check_merges(merges)
    for word, symbols in table.items():
        assert symbols == encoded(word, merges)


def test_training_cases_have_ties_and_runs() -> None:
    """Words of one letter, and words with several pairs at the top."""
    find_any(strategies.training_cases(), lambda case: any("aaaa" in word for word in case[0]))
    find_any(
        strategies.training_cases(), lambda case: len(top_pairs(dict.fromkeys(case[0], 1))) > 1
    )


def test_strangers_are_in_no_table() -> None:
    """They are spelled without the letters that words are made of, but for the longer ones."""
    assert all(len(set(stranger) & set("abc")) == 0 for stranger in strategies.STRANGERS)
    assert any(len(stranger) > 1 for stranger in strategies.STRANGERS)
    assert any(not stranger.isascii() for stranger in strategies.STRANGERS)


def test_lopsided_tables_are_busy_where_they_should_be() -> None:
    """As many words as asked for; the first merges all fall into the busy ones; repeatable."""
    busy, idle = strategies.lopsided_tables(busy=3, idle=50)
    assert (len(busy), len(idle)) == (3, 50)
    merges, _ = strategies.trained(busy | idle, 15)
    assert len(merges) == 15
    assert all("".join(pair).isalpha() for pair in merges)
    assert strategies.lopsided_tables(busy=3, idle=50) == (busy, idle)


# --- states of merge_and_update --------------------------------------------------------


@few
@given(strategies.merge_states())
def test_merge_states_are_true(states: list[Any]) -> None:
    """`stats` is the count, `where` holds at least the words of each pair, nothing is zero."""
    for words, counts, stats, where, _ in states:
        totals: Counter[Pair] = Counter()
        for symbols, count in zip(words, counts, strict=True):
            assert count > 0
            assert all(symbols)
            for pair in pairwise(symbols):
                totals[pair] += count
        assert stats == dict(totals)
        for pair in totals:
            assert {i for i, word in enumerate(words) if places(word, pair)} <= where[pair]
        assert all(0 <= i < len(words) for i in chain.from_iterable(where.values()))


@pytest.mark.parametrize(
    "condition",
    [
        lambda words, counts, stats, where, pair: any(overlaps(w, pair) for w in words),
        lambda words, counts, stats, where, pair: any(len(places(w, pair)) > 1 for w in words),
        lambda words, counts, stats, where, pair: len(where.get(pair, ())) > 1 and pair in stats,
        lambda words, counts, stats, where, pair: pair not in where,
        lambda words, counts, stats, where, pair: where.get(pair) and pair not in stats,
        lambda words, counts, stats, where, pair: any(
            not places(words[i], pair) for i in where.get(pair, ())
        )
        and pair in stats,
        lambda words, counts, stats, where, pair: pair in stats
        and any("".join(pair) in word for word in words),
        lambda words, counts, stats, where, pair: max(counts, default=0) >= HUGE,
        lambda words, counts, stats, where, pair: pair in stats
        and any(len(symbol) > 1 for symbol in pair),
    ],
    ids=[
        "overlap", "twice", "several words", "unknown pair", "only stale", "partly stale",
        "made before", "huge", "long symbols",
    ],
)  # fmt: skip
def test_merge_states_collide(condition: Callable[..., bool]) -> None:
    """Whatever an update can trip over is made soon."""
    find_any(strategies.merge_states(), some(lambda state: condition(*state)))


def test_merge_states_shrink_to_little() -> None:
    """The simplest state with something to merge is one word of two symbols, seen once."""
    states = minimal(strategies.merge_states(), some(lambda state: state[4] in state[2]))
    (state,) = [state for state in states if state[0]]
    assert state == strategies.merge_state(["aa"], ("a", "a"))


def test_fixed_states_are_a_list_that_prints_short() -> None:
    """Hypothesis prints every `@example`; of a list of states that would take milliseconds."""
    fixed = strategies.Fixed([strategies.merge_state(["ab"], ("a", "b"))])
    assert list(fixed) == fixed
    assert len(repr(fixed)) < 60


def test_a_fresh_state_shares_nothing() -> None:
    """Changing the copy leaves the state as it was."""
    state = strategies.merge_state(["ab", "b"], ("a", "b"), stale=[(("a", "b"), 1)])
    assert state == (
        [["a", "b"], ["b"]], [1, 1], {("a", "b"): 1}, {("a", "b"): {0, 1}}, ("a", "b"),
    )  # fmt: skip
    words, counts, stats, where, _ = strategies.fresh(state)
    words[0].clear()
    counts.clear()
    stats.clear()
    where["a", "b"].clear()
    assert state == strategies.merge_state(["ab", "b"], ("a", "b"), stale=[(("a", "b"), 1)])


@few
@given(strategies.word_tables(letters="abc", tables=2))
def test_recounted_counts_positions(tables: list[dict[str, int]]) -> None:
    """Each pair's count and words, found once more by looking for the pair alone."""
    for words in tables:
        listed = [list(word) for word in words]
        stats, where = strategies.recounted(listed, list(words.values()))
        assert set(stats) == set(where)
        for pair in stats:
            # A lookahead finds overlapping places.
            found = [len(re.findall(f"(?={''.join(pair)})", word)) for word in words]
            assert stats[pair] == sum(
                n * count for n, count in zip(found, words.values(), strict=True)
            )
            assert where[pair] == {i for i, n in enumerate(found) if n}


# --- documents of train_byte_bpe -------------------------------------------------------


def test_letter_pieces_are_the_shortest_strings() -> None:
    """One for each byte, the empty one first."""
    pieces = strategies.letter_pieces("ab")
    assert pieces[:4] == ["", "a", "b", "aa"]
    assert len(set(pieces)) == 256


def test_documents_shrink_to_nothing() -> None:
    """A document of no pieces is none, and the simplest one is a single piece."""
    strategy = strategies.documents(pieces=strategies.letter_pieces("ab"))
    assert minimal(strategy, lambda documents: True) == []
    assert minimal(strategy, lambda documents: documents) == ["a"]


@pytest.mark.parametrize(
    "condition",
    [
        lambda tokens, text: any(a != b and a + b in text for a in tokens for b in tokens),
        lambda tokens, text: any(
            a != b and a in b and tokens.index(a) < tokens.index(b) and b in text
            for a in tokens
            for b in tokens
        ),
        lambda tokens, text: "<s>a" in text and "<s>ab" not in text,
        lambda tokens, text: "cccc" in text,
        lambda tokens, text: "axb" in text,
        lambda tokens, text: any(not token.isascii() and token in text for token in tokens),
        lambda tokens, text: not any(token in text for token in tokens),
    ],
    ids=["adjacent", "nested", "beginning", "overlap", "look-alike", "not ASCII", "none"],
)
def test_tangled_cases_collide(condition: Callable[[list[str], str], bool]) -> None:
    """Special tokens side by side, inside each other in either order, and what looks like one."""
    find_any(
        strategies.tangled_cases(),
        lambda case: any(condition(case[0], text) for text in case[1]),
    )


def test_tangled_cases_list_every_token() -> None:
    """The order of the tokens varies, the tokens do not."""
    tokens, _ = find_any(
        strategies.tangled_cases(), lambda case: list(case[0]) != list(strategies.TANGLED_TOKENS)
    )
    assert sorted(tokens) == sorted(strategies.TANGLED_TOKENS)


def test_an_even_corpus_has_every_word_equally_often() -> None:
    """About as large as asked for, and the same each time."""
    corpus = strategies.even_corpus(["xy", " zw"], delimiter="|", size=2000)
    assert corpus.count(b"xy") == corpus.count(b" zw") == 400
    assert 2000 <= len(corpus) < 2100
    assert corpus == strategies.even_corpus(["xy", " zw"], delimiter="|", size=2000)


def test_a_lopsided_corpus_is_busy_in_a_few_words() -> None:
    """Every pair of the busy words counts far more than any of the idle ones."""
    lines = Counter(strategies.lopsided_corpus(idle=3000).decode().split("\n"))
    busy = [line for line in lines if line.isalpha()]
    assert [(len(set(line)), lines[line]) for line in busy] == [(52, 1600)] * 2
    totals: Counter[Pair] = Counter()
    for line, count in lines.items():
        if not line.isalpha():
            for pair in pairwise(line):
                totals[pair] += count
    assert (len(lines) - 2, max(totals.values()) < 1600) == (3000, True)
