"""The record is the readable reference, only faster."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest
import regex
from hypothesis import HealthCheck, example, given, settings
from strategies import documents, letter_pieces, long_pretoken, tangled_cases

from reference.encode_bpe import encode_bpe
from reference.record import Encoder, blocks, count, encode, train, words
from reference.record.merge import learn_merges
from reference.record.pack import pack
from reference.record.split import pieces, split
from reference.train_byte_bpe import train_byte_bpe

LAW = settings(
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=list(HealthCheck),
)
PLAIN = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")

Trained = tuple[dict[int, bytes], list[tuple[bytes, bytes]]]

#: What readers and splitters tell apart; lone surrogates stand for bytes that are not valid.
HOSTILE_PIECES = (
    "", "\r\n", "\n", "\n\n", " ", "  ", "\t", "\x0b", "\x1c", "\x85", "\u00a0", "\u1680",
    "\u2003", "\u2028", "\u202f", "\u205f", "\u3000", "\u200b", "a", "ab", " a", "don", "'s",
    "'ll", "7", "\u00bd", "!", "?!", "\u00e9", "e\u0301", "\u00ff", "\u4f60", "\U0001f642", "\0",
    "\ufeff", "\udcff", "\udce4\udcbd", "<doc>", "<do",
)  # fmt: skip
VALID_PIECES = tuple(piece for piece in HOSTILE_PIECES if not regex.search(r"\p{Cs}", piece))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Trained]:
    """Trains both on these bytes, says when they differ, and returns what they say."""
    path = tmp_path_factory.mktemp("record") / "corpus.txt"

    def trained(corpus: bytes, special_tokens: list[str], room: int = 9999) -> Trained:
        path.write_bytes(corpus)
        size = 256 + len(special_tokens) + room
        fast = train(str(path), size, special_tokens, processes=1)
        assert fast == train_byte_bpe(str(path), size, special_tokens)
        return fast

    return trained


def fast_split(text: str) -> list[str]:
    """The pre-tokens of a text the way the record finds them."""
    found = []
    for piece in pieces(text.encode()):
        found += [piece.decode()] if piece.isascii() else split(piece.decode())
    return found


@LAW
@given(docs=documents(pieces=letter_pieces("ab \u00e9\u00ff"), count=30))
@example(docs=["aaaa aaa", "abab", "abababab"])
def test_ties_and_runs(both: Callable[..., Trained], docs: list[str]) -> None:
    """Crowded words, runs and split characters give the same merges, to the last pair."""
    both("<doc>".join(docs).encode(), ["<doc>"])


@LAW
@given(docs=documents(pieces=HOSTILE_PIECES, count=30))
@example(docs=[])
def test_hostile_texts(both: Callable[..., Trained], docs: list[str]) -> None:
    """Every kind of space and line end, and bytes that are not valid, give the same merges."""
    both("<doc>".join(docs).encode("utf-8", "surrogateescape"), ["<doc>"])


@LAW
@given(case=tangled_cases())
def test_special_tokens(both: Callable[..., Trained], case: tuple[list[str], list[str]]) -> None:
    """Special tokens that overlap or lie inside each other are cut out as in the reference."""
    special_tokens, docs = case
    both(special_tokens[0].join(docs).encode(), special_tokens)


@pytest.mark.parametrize("room", [-300, 0, 1, 50])
def test_room(both: Callable[..., Trained], room: int) -> None:
    """As many merges as there is room for, and ids for all the rest."""
    vocab, merges = both(b"nbn nbn nb<s>bab", ["<s>", "a"], room)
    assert len(merges) == min(max(room, 0), 4)
    assert list(vocab) == list(range(258 + len(merges)))


@pytest.mark.parametrize("floor", [1, 4, 256, 4**9])
def test_floor(floor: int) -> None:
    """The floor below which pairs are not written down does not change the merges."""
    random = Random(floor)
    table = Counter(
        {bytes(random.choices(b"abc", k=random.randint(1, 9))): 1 + n % 700 for n in range(300)}
    )
    expected = learn_merges(pack(table.copy()), 400, 1, lambda done: None)
    assert len(expected) > 200
    assert learn_merges(pack(table), 400, floor, lambda done: None) == expected


@LAW
@given(docs=documents(pieces=VALID_PIECES, count=200, size=9))
def test_splitter(docs: list[str]) -> None:
    """The splitter on bytes finds the pre-tokens of the plain pattern."""
    for text in docs:
        assert fast_split(text) == PLAIN.findall(text)


def test_splitter_knows_characters() -> None:
    """A character, alone and beside others, is what the plain pattern takes it for.

    All up to the last white space, and one in 61 of the rest; `benchmarks/splitter_fuzz.py`
    takes every one.
    """
    codes = [*range(0x3100), *range(0x3100, 0xD800, 61), *range(0xE000, 0x110000, 61)]
    for code in codes:
        text = "!x\n {0}a{0} b\n{0}\n".format(chr(code))
        assert fast_split(text) == PLAIN.findall(text), code


@pytest.mark.parametrize("special_tokens", [[], ["<doc>"], ["n t", "<doc>"]])
@pytest.mark.parametrize("block", [40, 1000])
def test_any_blocks_and_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, special_tokens: list[str]
) -> None:
    """However the file is cut, for one process or several, the result is the same."""
    random = Random(block)
    path = tmp_path / "corpus.txt"
    some = (
        " then the",
        "n t",
        " caf\u00e9 ",
        "\u4f60\u597d",
        "<doc>",
        "\n\n",
        " \u00e9t\u00e9",
        "  ",
    )
    path.write_bytes("".join(random.choices(some, k=800)).encode() + b"\xff <d\xe4oc> end")
    size = 256 + len(special_tokens) + 60
    expected = train_byte_bpe(str(path), size, special_tokens)
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(count, "MANY", 8)
    monkeypatch.setattr(count, "BATCH", 3)
    for processes in (1, 3):
        assert train(str(path), size, special_tokens, processes=processes) == expected


def test_a_process_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its part is missed: there is an error, and neither a wrong result nor a wait for ever."""
    path = tmp_path / "corpus.txt"
    path.write_text("the cat sat on the mat " * 50)

    def die(*_: object) -> NoReturn:
        os._exit(1)

    monkeypatch.setattr(count, "send_counts", die)
    with pytest.raises(RuntimeError, match="has died"):
        train(str(path), 300, [], processes=2)


def test_progress(tmp_path: Path) -> None:
    """What is done only grows, and ends with all of it."""
    path = tmp_path / "corpus.txt"
    path.write_text("the cat sat on the mat " * 50)
    seen: list[tuple[str, int, int]] = []
    train(str(path), 266, [], processes=1, progress=lambda *said: seen.append(said))
    assert seen == [*[("count", 1150, 1150)] * 2, *(("merge", n, 10) for n in range(1, 11))]


@LAW
@given(case=tangled_cases())
def test_encoder(both: Callable[..., Trained], case: tuple[list[str], list[str]]) -> None:
    """The encoder replays the merges on each pre-token, and gives special tokens their ids."""
    special_tokens, docs = case
    text = special_tokens[0].join(docs)
    vocab, merges = both(text.encode(), special_tokens, 40)
    plain = [(left.decode("latin-1"), right.decode("latin-1")) for left, right in merges]
    cut = "|".join(regex.escape(each) for each in sorted(special_tokens, key=len, reverse=True))
    expected: list[bytes | str] = []
    for part in regex.split(f"({cut})", text):
        if part in special_tokens:
            expected.append(part)
            continue
        for pretoken in PLAIN.findall(part):
            symbols = encode_bpe(pretoken.encode().decode("latin-1"), plain)
            expected += [symbol.encode("latin-1") for symbol in symbols]
    specials = dict(enumerate(special_tokens, 256))
    ids = Encoder(vocab, merges, special_tokens).encode(text)
    assert [specials.get(each, vocab[each]) for each in ids] == expected


def test_encoder_takes_any_ids() -> None:
    """A vocabulary numbered in another way is as good, and invalid bytes are ignored."""
    merges = [(b"a", b"b"), (b"ab", b"c")]
    tokens = [b"<s>", b"abc", b"ab", *(bytes([value]) for value in range(255, -1, -1))]
    encoder = Encoder(dict(enumerate(tokens)), merges, ["<s>"])
    ids = encoder.encode_bytes(b"abc\xffab<s\xc3>c")
    assert [tokens[each] for each in ids] == [b"abc", b"ab", b"<s>", b"c"]


@pytest.mark.parametrize(
    ("vocab", "merges", "special_tokens", "message"),
    [
        ({}, [], ["<s>"], "'<s>' is not in the vocabulary"),
        ({}, [], [], "b'.x00' is not in the vocabulary"),
        ({}, [(b"ab", b"c")], [], "merge 0 joins a token"),
    ],
)
def test_encoder_refuses(
    vocab: dict[int, bytes],
    merges: list[tuple[bytes, bytes]],
    special_tokens: list[str],
    message: str,
) -> None:
    """What an encoder cannot work with is said in a sentence."""
    if merges:
        vocab = dict(enumerate([*map(bytes, zip(range(256), strict=True)), b"abc"]))
    with pytest.raises(ValueError, match=message):
        Encoder(vocab, merges, special_tokens)


def test_the_cache_is_bounded(
    both: Callable[..., Trained], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many different words there are, few are remembered, and none that is long."""
    monkeypatch.setattr(encode, "ENTRIES", 10)
    text = " ".join(f"w{n} x{n}y" for n in range(100)) + " " + "z" * 1000
    vocab, merges = both(text.encode(), [], 50)
    encoder = Encoder(vocab, merges, [])
    assert b"".join(vocab[each] for each in encoder.encode(text)) == text.encode()
    assert len(encoder._known) <= 10
    assert max(map(len, encoder._known)) <= encode.LONGEST


def test_long_words_are_merged_as_short_ones() -> None:
    """The heap and the lists replay the same merges."""
    random = Random(1)
    letters = b"abcd"
    merges: list[tuple[bytes, bytes]] = []
    tokens = [bytes([letter]) for letter in letters]
    while len(merges) < 60:
        pair = random.choice(tokens), random.choice(tokens)
        if b"".join(pair) not in tokens:
            merges.append(pair)
            tokens.append(b"".join(pair))
    pairs = words.number_pairs(merges)
    for length in range(1, 90):
        word = bytes(random.choices(letters, k=length))
        assert words.merge_long(word, pairs) == words.merge_short(word, pairs)


class Asked(dict[words.Pair, int]):
    """Counts how often it is asked for a pair."""

    times = 0

    def get(self, pair: words.Pair, default: int | None = None) -> int | None:  # type: ignore[override]
        self.times += 1
        return super().get(pair, default)


def test_a_long_word_is_not_the_square_of_the_work(both: Callable[..., Trained]) -> None:
    """For each letter of a long word, a fixed number of pairs is looked up."""
    _, merges = both(long_pretoken(500), [], 100)
    for word in (long_pretoken(20_000), b"a" * 20_000):
        pairs = Asked(words.number_pairs(merges))
        assert len(words.merge_word(word, pairs)) < 10_000
        assert pairs.times < 5 * len(word)
