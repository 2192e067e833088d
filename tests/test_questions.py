"""What is asked in an interview: complete, and every number in it computed or quoted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import catalog, corpus, tracer
from grader.errors import CardError, UsageError
from grader.interview.questions import LEVELS, Question, parse, pick, questions
from grader.tracer import Word

BY_ID = {question.id: question for question in questions()}
TABLES = st.dictionaries(st.text("ab", min_size=1, max_size=7), st.integers(1, 3), max_size=4)


def reference(name: str) -> Callable[..., list]:  # type: ignore[type-arg]
    return getattr(catalog.reference_module(catalog.find(name)), name)  # type: ignore[no-any-return]


def text_of(question: Question) -> str:
    return "\n".join((question.ask, *question.points, *question.wrong, question.follow_up))


def split(text: str) -> list[str]:
    return regex.findall(corpus.PATTERN, text)  # type: ignore[no-any-return]


def replay(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Every merge of the list in turn, at all its places."""
    now = Word(tuple(word))
    for pair in merges:
        now = tracer.merged(now, pair)
    return list(map(str, now.symbols))


def loop(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """The lowest rank first, one place at a time, leftmost first."""
    symbols = list(word)
    while True:
        pairs = list(pairwise(symbols))
        known = [pair for pair in pairs if pair in merges]
        if not known:
            return symbols
        at = pairs.index(min(known, key=merges.index))
        symbols[at : at + 2] = ["".join(pairs[at])]


def utf8_values() -> set[int]:
    """Every byte that occurs in valid UTF-8: first bytes change in steps of 64 or less."""
    codes = [*range(0x800), *range(0x800, 0x110000, 0x40)]
    whole = [code for code in codes if not 0xD800 <= code <= 0xDFFF]
    return {byte for code in whole for byte in chr(code).encode()}


NEVER = sorted(set(range(256)) - utf8_values())
#: The numbers of a question that can be computed, as they stand in its text.
COMPUTED: dict[str, list[str]] = {
    "fewest-tokens": ["10", "6"],  # counts of its example, which is computed below
    "overlaps": [
        str(tracer.counts([Word(("a",) * 3)])["a", "a"]),
        str(3 - len(replay("aaa", [("a", "a")]))),
    ],
    "why-bytes": [
        str(1 << 8),
        f"{0x110000 - (0xE000 - 0xD800):,}",
        str(len(chr(0x80).encode())),
        str(len(chr(0x10FFFF).encode())),
    ],
    "utf8": [
        f"0x{min(utf8_values() - set(range(0x80))):X}",
        f"0x{max(chr(0x7FF).encode()[1:]):X}",
        *(str(len(char.encode())) for char in "aé你🙂"),
    ],
    "unused-bytes": [
        str(1 << 8),
        str(len(NEVER)),
        *(f"0x{byte:X}" for byte in (NEVER[0], NEVER[1], NEVER[2], NEVER[-1], 0x7F)),
    ],
    "streaming": [str(len("🙂".encode())), *re.findall(r"\d+", "🙂".encode().hex(" "))],
    "normalisation": [
        str(len("é".encode())),
        str(len(unicodedata.normalize("NFD", "é"))),
        str(len(unicodedata.normalize("NFD", "é").encode())),
    ],
    "gpt2-split": [str(len(split("it's 2024, OK?"))), "2024"],
    "digits": [
        str(len("1234567")),
        "1234567",
        "3",  # the size of a group
        *re.findall(r"\d{1,3}", "1234567"),
        *f"{1234567:,}".split(","),
    ],
    "gpt2-vocabulary": [f"{256 + 50_000 + 1:,}", "256", "50,000", "1", "64"],
    "vocabulary-size": [f"{50_257 * 768:,}", "50,257", "768"],
    "ids-on-disk": [
        f"{2**16:,}",
        "16",
        *("50,257", "100,000"),
        *(str(10**9 * size // 10**9) for size in (1, 16 // 8, 4, 8)),
    ],
    "languages": [*(str(len(char.encode())) for char in "aन是")],
    "sentencepiece": [f"{ord('▁'):X}", str(len("▁".encode()))],
    "fewer-merges": ["32,000", "10,000"],  # a shorter training is a prefix, see below
    "bpe-dropout": ["0", "1"],  # probabilities
}
#: Numbers that only the named source can vouch for.
QUOTED = {
    "greedy-is-not-optimal": ["0.37", "0.333", "0.625"],  # the abstracts of both papers
    "languages": ["15"],  # the abstract
}
#: Names that have a number in them.
NAMES = re.compile(r"UTF-8|UTF-16|GPT-2|cl100k_base")
NUMBER = re.compile(r"0x[0-9A-F]+|(?<=U\+)[0-9A-F]+|\d(?:[\d.,]*\d)?")


def numbers_of(question: Question) -> set[str]:
    return set(NUMBER.findall(NAMES.sub("", text_of(question))))


def test_there_are_enough_at_several_levels() -> None:
    """At least 28, each level with some, on at least a dozen topics."""
    assert len(questions()) >= 28
    assert {question.level for question in questions()} == set(LEVELS)
    assert len({question.topic for question in questions()}) >= 12


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.id)
def test_a_question_is_complete(question: Question) -> None:
    """Points, wrong answers, a follow-up and a source with a year or a document's name."""
    assert re.fullmatch(r"[a-z0-9-]+", question.id)
    assert question.ask.endswith(("?", "."))
    assert len(question.points) >= 2
    assert question.wrong
    assert question.follow_up[-1] in ".?"
    assert re.search(r"\(\d{4}\)|documentation|source code|RFC|Annex|kata", question.source)
    assert all(text[-1] in ".)?" for text in (*question.points, *question.wrong))


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.id)
def test_no_number_is_unaccounted_for(question: Question) -> None:
    """Each number in a question is computed in this file, or quoted from its source."""
    known = {*COMPUTED.get(question.id, ()), *QUOTED.get(question.id, ())}
    assert numbers_of(question) == known, numbers_of(question) ^ known


def test_the_examples_are_computed() -> None:
    """The words that are cut in points and wrong answers come out so."""
    tea = [("e", "a"), ("ea", "t"), ("t", "ea")]
    assert reference("encode_bpe")("teat", tea) == ["t", "eat"]
    merges = reference("train_bpe")({"ab": 10, "bcd": 6}, 9)
    assert reference("encode_bpe")("abcd", merges) == ["ab", "c", "d"]
    assert {"".join(pair) for pair in merges} >= {"bcd"}
    assert replay("aaa", [("a", "a")]) == ["aa", "a"]
    assert "🙂".encode().hex(" ") in text_of(BY_ID["streaming"])
    assert [0xC0, 0xC1, *range(0xF5, 0x100)] == NEVER
    assert split("it's 2024, OK?") == ["it", "'s", " 2024", ",", " OK", "?"]
    assert split("IT'S") == ["IT", "'", "S"]
    assert split("hello ") == ["hello", " "]
    assert split("hello world")[1] == " world"
    assert len(split("1234567")) == 1
    by_hand = [("ab", "c"), ("a", "b")]
    assert loop("abc", by_hand) == ["abc"]
    assert replay("abc", by_hand) == ["ab", "c"]
    (turn,) = tracer.training([Word(("A", "B", "A", "B"))], 1)
    lost = tracer.counts(turn.before) - tracer.counts(turn.after)
    assert lost == {("A", "B"): 2, ("B", "A"): 1}
    assert tracer.counts(turn.after) == {("AB", "AB"): 1}
    assert unicodedata.normalize("NFKC", "ﬁ½") != "ﬁ½"
    assert 0.3 < 50_257 * 768 / 124e6 < 0.34, "nearly a third"


@settings(max_examples=60)
@given(table=TABLES, word=st.text("abc", max_size=9))
def test_what_is_proved_holds(table: dict[str, int], word: str) -> None:
    """Loop and replay agree, merges make different symbols, a prefix is a shorter training."""
    merges = reference("train_bpe")(table, 12)
    assert loop(word, merges) == replay(word, merges)
    made = ["".join(pair) for pair in merges]
    assert len(set(made)) == len(made)
    assert reference("train_bpe")(table, 5) == merges[:5]
    words = [Word(tuple(each), count) for each, count in table.items()]
    counts: dict[tracer.Pair, int] = {}
    for turn in tracer.training(words, 12):
        now = dict(turn.candidates)
        assert all(count <= counts.get(pair, count) for pair, count in now.items())
        assert turn.candidates[0][1] <= max(counts.values(), default=10**6)
        counts = dict.fromkeys(counts, 0) | now


def test_a_tie_can_change_everything_after_it() -> None:
    """The point of `ties`: after one tie the lists part."""
    words = [Word(("a", "b", "c"))]
    smallest = {turn.pair for turn in tracer.training(words, 9)}
    greatest = {turn.pair for turn in tracer.training(words, 9, greatest=True)}
    assert smallest == {("a", "b"), ("ab", "c")}
    assert not smallest & greatest


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), count=st.integers(0, 50))
def test_picking_is_seeded_and_never_repeats(seed: int, count: int) -> None:
    """As many as asked for, as far as there are; the beginning of a longer pick."""
    picked = pick(seed, count)
    assert len(picked) == min(count, len(questions()))
    assert len(set(picked)) == len(picked)
    assert picked == pick(seed, count + 5)[:count]


def test_picking_keeps_to_levels_and_spreads_topics() -> None:
    """Only the levels asked for; no topic twice while another is left."""
    assert {question.level for question in pick(1, 99, ("deep",))} == {"deep"}
    topics = {question.topic for question in questions()}
    assert {question.topic for question in pick(2, len(topics))} == topics
    with pytest.raises(UsageError, match="'easy'; the levels are basic, solid, deep"):
        pick(1, 3, ("easy",))


GOOD = """[[question]]
id = "a"
level = "basic"
topic = "t"
ask = "Why?"
points = ["Because."]
wrong = ["No."]
follow_up = "And?"
source = "RFC 1"
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ask = ", "aks = ", "question a needs 'ask', a text"),
        ("[[question]]", "x = 1\n[[question]]", "under [[question]]"),
        ('points = ["Because."]', "points = []", "needs 'points', a list of texts"),
        ('points = ["Because."]', 'points = "Because."', "'points' of question a must be a list"),
        ('level = "basic"', 'level = "easy"', "it must be one of basic, solid, deep"),
        ('source = "RFC 1"', 'source = " "', "needs 'source'"),
        ('source = "RFC 1"', 'source = "RFC 1"\nextra = "x"', "unknown key 'extra'"),
        ("ask = ", "ask == ", "is not valid TOML"),
        (GOOD, GOOD + GOOD, "two questions have the id 'a'"),
    ],
)
def test_a_fault_in_the_file_is_named(old: str, new: str, said: str) -> None:
    """File, question, key and remedy."""
    assert parse(GOOD, Path("q.toml"))[0].points == ("Because.",)
    with pytest.raises(CardError) as caught:
        parse(GOOD.replace(old, new, 1), Path("q.toml"))
    assert said in str(caught.value)
    assert str(caught.value).startswith("q.toml")
