"""The suite of `merge_and_update`.

A law calls once or several times and compares one part of the state. What `stats` and
`where` must say is recounted from the words, so most laws need no reference.
"""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import Fixed, fresh, merge_state, merge_states, merged, recounted, word_tables

from grader import catalog
from grader.expect import holds, same
from grader.explain import LEFT_OUT, counted, paired, spelled

AB, AA = ("a", "b"), ("a", "a")

#: Words of several kinds: with the pair once and twice, without it, and one listed in vain.
MIXED = merge_state(
    ["abab", "xabx", "ba", "xx", "cab"], AB, counts=[2, 3, 5, 7, 11], stale=[(AB, 2)]
)
#: Two words of many hold the pair; a set of 1 and 8 is walked through as 8, 1.
MANY = merge_state(["c", "dab", "e", "f", "g", "h", "i", "j", "kab"], AB)
#: Every word holds the pair.
ALL = merge_state(["ab" + letter for letter in "cdefgh"], AB)


@pytest.fixture(scope="module")
def train_bpe():
    """The reference of the kata that trains."""
    return catalog.reference_module(catalog.find("train_bpe")).train_bpe


@pytest.mark.example
@pytest.mark.parametrize(
    ("state", "changed", "words", "stats"),
    [
        (
            merge_state(["abab", "ca"], AB, counts=[2, 3]),
            [0],
            [["ab", "ab"], ["c", "a"]],
            {("c", "a"): 3, ("ab", "ab"): 2},
        ),
        (merge_state(["aaa"], AA, counts=[2]), [0], [["aa", "a"]], {("aa", "a"): 2}),
    ],
)
def test_examples(solution, state, changed, words, stats):
    """The examples of the statement."""
    state = fresh(state)
    same(solution.merge_and_update(*state), changed)
    same(state[0], words, "`words` after the call")
    same(state[2], stats, "`stats` after the call")


@given(states=merge_states())
@example(states=Fixed([MANY, MIXED]))
def test_only_listed_words(solution, states):
    """Only the words that `where[pair]` lists are looked at."""
    for state in states:
        words, counts, stats, where, pair = fresh(state)
        listed = where.get(pair, set())
        others = {i: list(symbols) for i, symbols in enumerate(words) if i not in listed}
        solution.merge_and_update(words, counts, stats, where, pair)
        same({i: words[i] for i in others}, others, "words that `where[pair]` did not list")


@given(states=merge_states())
@example(
    states=Fixed(
        [
            merge_state(["aaaa", "aaa"], AA),
            merge_state([["xa", "b"], "xab", ["a", "bx"]], AB),
            merge_state(["abba"], AB),
            MIXED,
        ]
    )
)
def test_words_are_merged(solution, states):
    """The pair is merged from left to right in every word that holds it."""
    for state in states:
        words, *others, pair = fresh(state)
        expected = [merged(symbols, pair) for symbols in words]
        solution.merge_and_update(words, *others, pair)
        same(words, expected, "`words` after the call")


@given(states=merge_states())
@example(states=Fixed([MANY, ALL, merge_state(["ab", "ba"], AB, stale=[(AB, 1)]), MIXED]))
def test_changed_words_are_returned(solution, states):
    """The words that changed are returned, sorted, and no stale one among them."""
    for state in states:
        words, *others = fresh(state)
        changed = solution.merge_and_update(words, *others)
        same(changed, [i for i, symbols in enumerate(words) if symbols != state[0][i]])


@given(states=merge_states())
@example(
    states=Fixed(
        [
            merge_state(["ab"], AB),
            merge_state(["bab", "ba"], AB),
            merge_state(["xabx", "bx"], AB, counts=[2, 3], stale=[(AB, 1)]),
            merge_state(["abx", ["ab", "x"]], AB, counts=[2, 3]),
            merge_state([["a", "b", "ab", "x"]], AB),
            merge_state([["ab", "x", "a", "b"]], AB),
            MIXED,
        ]
    )
)
def test_stats_are_exact(solution, states):
    """Afterwards `stats` is what a recount of all words gives, without a zero."""
    for state in states:
        words, counts, stats, where, pair = fresh(state)
        solution.merge_and_update(words, counts, stats, where, pair)
        same(stats, recounted(words, counts)[0], "`stats` after the call")


@given(states=merge_states(letters="ab"))
@example(
    states=Fixed(
        [
            merge_state(["aaa"], AA),
            merge_state(["aaaa"], AA),
            merge_state(["aaaaa"], AA),
            merge_state(["abab", "ba"], AB),
            merge_state(["ababab", "ba"], AB),
            merge_state([["aa", "a", "a", "aa"]], AA, counts=[3]),
        ]
    )
)
def test_runs(solution, states):
    """In runs and repeats every position counts, before the merge and after it."""
    for state in states:
        words, counts, stats, where, pair = fresh(state)
        solution.merge_and_update(words, counts, stats, where, pair)
        same(stats, recounted(words, counts)[0], "`stats` after the call")


@given(states=merge_states())
@example(
    states=Fixed(
        [
            merge_state(["aaab"], AA),
            merge_state(["xab", ["x", "ab"]], AB),
            merge_state(["abxbx"], AB),
            merge_state(["xabxa"], AB),
            MIXED,
        ]
    )
)
def test_index_is_complete(solution, states):
    """Afterwards `where` lists every word that holds a pair."""
    for state in states:
        words, counts, stats, where, pair = fresh(state)
        solution.merge_and_update(words, counts, stats, where, pair)
        for each, holders in recounted(words, counts)[1].items():
            found = where.get(each, set())
            holds(holders <= found, f"`where[{each!r}]` lacks a word", found, holders)


@given(states=merge_states())
@example(
    states=Fixed(
        [
            merge_state(["abx", "ba"], AB),
            merge_state(["abx", "ba"], AB, stale=[(AB, 1)]),
            MIXED,
        ]
    )
)
def test_index_stays_small(solution, states):
    """No index is added to `where` but those that `where[pair]` listed."""
    for state in states:
        words, counts, stats, where, pair = fresh(state)
        listed = set(where.get(pair, ()))
        solution.merge_and_update(words, counts, stats, where, pair)
        for each, found in where.items():
            strange = found - state[3].get(each, set()) - listed
            holds(not strange, f"`where[{each!r}]` gained words that were not listed", strange)


@given(states=merge_states(states=2))
@example(states=Fixed([merge_state([], AB), merge_state(["ba", "b", ""], AB)]))
def test_nothing_to_merge(solution, states):
    """A pair that no word holds changes nothing, whatever `where` lists under it."""
    stranger = ("b", "x")
    for state in states:
        for listed in ({}, {stranger: set()}, {stranger: set(range(len(state[0])))}):
            words, counts, stats, where, _ = fresh(state)
            changed = solution.merge_and_update(words, counts, stats, where | listed, stranger)
            same((changed, words, stats), ([], state[0], state[2]), "the result, `words`, `stats`")


@given(states=merge_states(letters="abc", states=2), picks=st.binary(min_size=1, max_size=4))
@example(states=Fixed([merge_state(["aab", "aaba"], AA), MIXED]), picks=b"\0\0\0\0")
def test_any_sequence(solution, states, picks):
    """The state stays true through merge after merge, whatever pair comes next."""
    for state in states:
        words, counts, stats, where, _ = fresh(state)
        for pick in picks:
            pair = sorted(stats)[pick % len(stats)] if stats else AB
            solution.merge_and_update(words, counts, stats, where, pair)
            expected, holders = recounted(words, counts)
            same(stats, expected, "`stats` after the call")
            lacking = {each for each in holders if not holders[each] <= where.get(each, set())}
            holds(not lacking, "`where` lacks words under these pairs", lacking)


@given(tables=word_tables(letters="ab", size=5, tables=2))
@example(tables=[{"aab": 1, "aaba": 1}, {"aaaa": 1, "aaab": 3}])
@example(tables=[{"tea": 6, "teas": 2, "eat": 5, "eats": 3, "seat": 4, "set": 3}])
def test_training(solution, train_bpe, tables):
    """Called round after round with the best pair, it trains what `train_bpe` trains."""
    for table in tables:
        words, counts = [list(word) for word in table], list(table.values())
        stats, where = recounted(words, counts)
        for n, pair in enumerate(train_bpe(table, 6), 1):
            best = min(stats, key=lambda each: (-stats[each], each), default=None)
            same(best, pair, f"the best pair of `stats` before round {n}")
            solution.merge_and_update(words, counts, stats, where, pair)


@given(states=merge_states(letters="ab", states=3))
@example(states=Fixed([ALL, MIXED]))
def test_hash_seed(solution, twin, states):
    """The result is the same under every PYTHONHASHSEED."""
    for state in states:
        yours, others = fresh(state), fresh(state)
        changed = solution.merge_and_update(*yours)
        again = twin.merge_and_update(*others)
        note = "another hash seed gives another result, `words` or `stats`"
        same((again, others[0], others[2]), (changed, yours[0], yours[2]), note)


# --- diagnosis and explanation --------------------------------------------------------

#: Small states that tell the known mistakes apart, the most telling ones first.
BANK = [
    merge_state(["abab", "ca"], AB, counts=[2, 3]),
    merge_state(["aaaaa"], AA, counts=[2]),
    merge_state(["abx", ["ab", "x"]], AB, counts=[2, 3]),
    merge_state(["aaab", "aaa"], AA, counts=[3, 3]),
    merge_state(["cab", "bc"], AB, counts=[2, 3]),
    merge_state(["aaa"], AA),
    merge_state(["aaaa"], AA),
    merge_state(["aaab"], AA),
    merge_state(["abab"], AB),
    merge_state(["abxbx"], AB),
    merge_state(["xabxa"], AB),
    merge_state(["aab", "aaba"], AA),
    merge_state([["a", "b", "ab", "x"]], AB),
    merge_state([["ab", "x", "a", "b"]], AB),
    merge_state([["a", "b", "xa", "b"]], AB),
    merge_state([["a", "b", "a", "bx"], "ab"], AB),
    merge_state(["ab"], AB),
    merge_state(["bab"], AB),
    merge_state(["ba", "ab"], AB, stale=[(AB, 0)]),
    merge_state(["ba"], AB, stale=[(AB, 0)]),
    merge_state(["xx"], AB),
    merge_state([], AB),
    MANY,
    merge_state(["c", "d", "ab", "e", "f", "g", "h", "i", "kab"], AB),
    ALL,
    merge_state(["ab" + letter for letter in "hgfedc"], AB),
]


def judged(args, result):
    """Of an answer, what the statement pins down: of `where` only what it must not say."""
    words, counts, stats, where, _ = result.args
    listed = args[3].get(args[4], set())
    lacking = {
        (pair, i)
        for pair, holders in recounted(words, counts)[1].items()
        for i in holders - where.get(pair, set())
    }
    gained = {
        (pair, i)
        for pair, found in where.items()
        for i in found - args[3].get(pair, set()) - listed
    }
    return result.value, words, stats, lacking, gained


def explain(reference, args, result):
    """The first wrong word, result, or entry of `stats` or `where`, and the words it comes from."""
    due = fresh(args)
    changed = reference.merge_and_update(*due)
    for rows in (
        _wrong_word(args[0], due[0], result.args[0]),
        _wrong_result(args, due, changed, result.value),
        _wrong_count(args, due, changed, result.args[2]),
        _wrong_index(args, due, result.args[3]),
    ):
        if rows:
            return rows
    return []


def _wrong_word(before, due, yours):
    for i, (symbols, right) in enumerate(zip(yours, due, strict=False)):
        if symbols != right:
            told = spelled(symbols) if symbols != before[i] else "as it was"
            return [_word(i, before, due, f"yours: {told}")]
    return []


def _wrong_result(args, due, changed, yours):
    if yours == changed:
        return []
    rows = [("result", f"{changed}", f"yours: {yours}")]
    for i in changed:
        if i not in yours:
            return [*rows, _word(i, args[0], due[0], "changes, and you do not return it")]
    for i in yours:
        if i not in changed and 0 <= i < len(args[0]):
            stale = i in args[3].get(args[4], ())
            told = f"does not hold {paired(args[4])}: a stale entry" if stale else "does not change"
            return [*rows, _word(i, args[0], due[0], told)]
    return rows


def _wrong_count(args, due, changed, yours):
    """The wrong entries, in the order in which a walk through the changed words meets them."""
    before, counts, _, _, _ = args
    met = [pair for i in changed for word in (before[i], due[0][i]) for pair in pairwise(word)]
    wrong = [
        pair
        for pair in dict.fromkeys([*met, *sorted({*due[2], *yours})])
        if yours.get(pair) != due[2].get(pair)
    ]
    if not wrong:
        return []
    pair = wrong[0]
    rows = [
        ("stats", paired(pair), f"due: {_entry(due[2], pair)}, yours: {_entry(yours, pair)}"),
        *_holders(pair, before, due[0], counts),
    ]
    if len(wrong) > 1:
        rows.append(("…", f"{counted(len(wrong) - 1, 'more wrong key')} in `stats`", ""))
    return rows


def _entry(stats, pair):
    return str(stats[pair]) if pair in stats else "no entry"


def _holders(pair, before, after, counts):
    """The words that hold a pair before or after the merge, up to five of them."""
    rows = []
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        was, now = (list(pairwise(word)).count(pair) for word in (old, new))
        if was or now:
            told = f"× {counts[i]}: {counted(was, 'place')}"
            rows.append(
                _word(i, before, after, told if old == new else f"{told} before, {now} after")
            )
    return rows if len(rows) <= 5 else [*rows[:4], LEFT_OUT]


def _wrong_index(args, due, yours):
    before, counts, _, where, pair = args
    for each, holders in recounted(due[0], counts)[1].items():
        for i in sorted(holders - yours.get(each, set())):
            told = "still holds it" if each in pairwise(before[i]) else "holds it now"
            row = ("where", paired(each), f"your set lacks {i}")
            return [row, _word(i, before, due[0], told)]
    for each, found in yours.items():
        for i in sorted(found - where.get(each, set()) - where.get(pair, set())):
            row = ("where", paired(each), f"your set gained {i}, which `where[pair]` did not list")
            return [row, _word(i, before, due[0], "")] if 0 <= i < len(before) else [row]
    return []


def _word(i, before, after, remark):
    """`word 0   a b a b → ab ab`, seen around the first symbol that changes."""
    old, new = before[i], after[i]
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    turned = spelled(old, at=at) if old == new else f"{spelled(old, at=at)} → {spelled(new, at=at)}"
    return f"word {i}", turned, remark
