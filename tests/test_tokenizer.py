"""A trained tokenizer encodes as the katas say, is read by other programs, and compares."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import catalog, exports, library, published, sanity
from grader.corpus import SPECIAL
from grader.errors import KataError
from grader.tokenizer import Tokenizer, compression, sizes
from tests.trained import GOLDEN, KATA, LISTS, TEXT, golden, made, on_text, write_text


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def trained() -> Tokenizer:
    return on_text()


# --- the encoder --------------------------------------------------------------------------


@settings(database=None, deadline=None, max_examples=200)
@given(word=st.text("theca üa ", max_size=20))
def test_a_word_is_merged_as_the_encoder_kata_says(trained: Tokenizer, word: str) -> None:
    """The kata's reference, which takes the long ones, gives the same symbols."""
    assert trained._segment_short(word.encode()) == trained._segment_long(word.encode())


@settings(database=None, deadline=None, max_examples=100)
@given(pieces=st.lists(st.one_of(st.just(SPECIAL), st.text(max_size=8)), max_size=6))
def test_any_text_comes_back(trained: Tokenizer, pieces: list[str]) -> None:
    """Decoding what was encoded is the text, special tokens and all."""
    whole = "".join(pieces)
    assert trained.decode(trained.encode(whole)) == whole


def test_a_long_pretoken_is_no_trouble(trained: Tokenizer) -> None:
    """Words of 30,000 letters come back, one of a single letter and one in longer tokens."""
    prose = "the".join(["catsonmat"] * 2500)
    assert len(trained.encode(prose)) < len(prose)
    for word in (prose, "a" * 30_000):
        assert trained.decode(trained.encode(word)) == word


def test_the_longest_special_token_is_found() -> None:
    """Where two begin at one place the longer one counts, whatever their order."""
    tokenizer = made([], ("<s>", "<s>ab", "a.b"))
    assert tokenizer.encode("<s>ab<s>a.ba*b") == [257, 256, 258, 97, 42, 98]


def test_the_curve_is_what_fewer_merges_give(trained: Tokenizer) -> None:
    """One pass over the words gives the number of tokens with the first k merges, for each k."""
    table, special = trained.counts(TEXT)
    found = compression(trained, table, special, len(TEXT.encode()))
    for k in (0, 1, 7, 40, len(trained.merges)):
        assert found.tokens(k) == len(made(list(trained.merges[:k])).encode(TEXT))
    assert found.bytes_per_token() == len(TEXT.encode()) / len(trained.encode(TEXT))
    assert list(sizes(trained)) == [trained.size]
    assert list(sizes(made([(b"a", b"b")] * 900)))[:2] == [512, 1024]


def test_what_is_no_tokenizer_is_named(trained: Tokenizer) -> None:
    """Ids, sizes and merges that do not fit each other, one sentence each."""
    assert trained.problem(340) is None
    assert "room" in str(trained.problem(trained.size - 1))
    fewer = dict(list(trained.vocab.items())[:-1])
    assert "ids where" in str(replace(trained, vocab=fewer).problem(340))
    swapped = {**trained.vocab, 0: b"\1"}
    assert str(replace(trained, vocab=swapped).problem(340)) == (
        r"the vocab has b'\x01' at 0 where b'\x00' is due"
    )
    unknown = made([(b"ab", b"c")])
    assert "there is no such token yet" in str(unknown.problem(300))


# --- files for other programs ---------------------------------------------------------------


def test_every_byte_has_a_character_of_its_own() -> None:
    """GPT-2's alphabet reads back, and holds no white space."""
    every = bytes(range(256))
    assert exports.read_token(exports.written(every)) == every
    assert len(set(exports.written(every))) == 256
    assert not any(char.isspace() for char in exports.written(every))
    assert exports.written(b" the\n") == "ĠtheĊ"


def test_merges_are_read_back(trained: Tokenizer) -> None:
    """`merges.txt` holds the merges; what is none is refused."""
    assert exports.read_merges(exports.merges_txt(trained)) == trained.merges
    assert json.loads(exports.vocab_json(trained))["Ġthe"] == trained.ids[b" the"]
    for bad in ("a b c", "ab", "日 本"):
        with pytest.raises(KataError, match=r"no merges\.txt"):
            exports.read_merges(bad)


def test_tokenizers_agrees(trained: Tokenizer) -> None:
    """Hugging Face's library loads tokenizer.json and gives the same ids, and GPT-2's pair too."""
    tokenizers = pytest.importorskip("tokenizers")
    loaded = tokenizers.Tokenizer.from_str(exports.tokenizer_json(trained))
    for document in (TEXT, *sanity.documents((SPECIAL,), 600)):
        assert loaded.encode(document).ids == trained.encode(document)
        assert loaded.decode(trained.encode(document), skip_special_tokens=False) == document


def test_special_tokens_that_overlap_agree_too(text: Path) -> None:
    """Nested, overlapping, with blanks and signs of a pattern: the same ids."""
    tokenizers = pytest.importorskip("tokenizers")
    special = ("<s>", "<s>ab", "a.b", " x ", "||", "éé")
    tokenizer = made([(b"a", b"b"), (b"<", b"s")], special)
    loaded = tokenizers.Tokenizer.from_str(exports.tokenizer_json(tokenizer))
    for document in sanity.documents((*special, "ab", "<s", ">", "a.", "x", " "), 600):
        assert loaded.encode(document).ids == tokenizer.encode(document), document


@pytest.mark.parametrize("special", ["a", "Ġ", "ab"])
def test_a_special_token_that_reads_like_another_is_refused(special: str) -> None:
    """vocab.json can hold one of them only."""
    with pytest.raises(KataError, match="reads like token"):
        exports.files(made([(b"a", b"b")], (special,)))


# --- what is published --------------------------------------------------------------------


def test_the_fingerprints_are_whole() -> None:
    """A byte for each merge, a digest of all of them, and texts that are registered."""
    for name in LISTS:
        known = published.known_merges(name)
        assert known is not None
        assert len(known.checks) == known.merges == max(known.digests) == known.vocab_size - 257
        for number, text in known.digests.items():
            assert bytes.fromhex(text)[-1] == known.checks[number - 1]
        for each in published.known_tokens(name, known.vocab_size):
            assert library.entries()[each.text].counts["special_tokens"]
    assert set(published.corpora()) == {*LISTS, "owt-valid", "tinystories-valid"}


@golden
@pytest.mark.parametrize("name", LISTS)
def test_the_published_merges_have_the_published_digests(name: str) -> None:
    """The digest function gives what is published, at every prefix, and the bytes of `checks`."""
    known = published.known_merges(name)
    assert known is not None
    merges = exports.read_merges((GOLDEN / LISTS[name]).read_text(encoding="utf-8"))
    assert published.digest(merges) == known.digests[known.merges]
    assert published.digest(merges[:1000]) == known.digests[1000]
    assert published.checks(merges) == known.checks
    whole = published.compare(known, merges)
    assert whole.agrees
    assert whole.digests == dict.fromkeys(known.digests, True)
    assert made(merges).problem(known.vocab_size) is None


@golden
@pytest.mark.parametrize("place", [0, 1, 99, 100, 4321, 9742])
def test_the_place_where_two_lists_part_is_found(place: int) -> None:
    """One other merge, or two swapped: the lists agree up to there and no further."""
    known = published.known_merges("tinystories-train")
    assert known is not None
    merges = exports.read_merges((GOLDEN / LISTS[known.corpus]).read_text(encoding="utf-8"))
    other = [*merges[:place], (b"no", b"such"), *merges[place + 1 :]]
    found = published.compare(known, other)
    assert (found.agreeing, found.agrees) == (place, False)
    assert found.digests == {number: number <= place for number in known.digests}
    some = published.compare(known, merges[:place])
    assert (some.agreeing, some.compared, some.agrees) == (place, place, True)
    longer = published.compare(known, [*merges, (b"a", b"b")])
    assert (longer.compared, longer.agrees) == (9743, True)


def test_a_smaller_vocabulary_is_a_prefix(text: Path, trained: Tokenizer) -> None:
    """Training to fewer ids gives the first merges of training to more: prefixes compare."""
    train = catalog.reference_module(KATA).train_byte_bpe
    for size in (258, 290, 300):
        merges = train(str(text), size, [SPECIAL])[1]
        assert merges == trained.merges[: len(merges)]
        assert published.digest(merges) == published.digest(trained.merges[: size - 257])


@golden
def test_real_text_parts_from_the_published_list_where_the_lists_say(tmp_path: Path) -> None:
    """On a sample of OpenWebText the place found by fingerprints is that of the lists themselves,
    and a smaller vocabulary gives a prefix with the same digest."""
    sample = tmp_path / "sample.txt"
    sample.write_bytes((GOLDEN.parent / "owt/owt_docs.txt").read_bytes()[:600_000])
    train = catalog.reference_module(KATA).train_byte_bpe
    merges = train(str(sample), 700, [SPECIAL])[1]
    assert published.digest(train(str(sample), 400, [SPECIAL])[1]) == published.digest(merges[:143])
    known = published.known_merges("owt-train")
    assert known is not None
    theirs = exports.read_merges((GOLDEN / LISTS["owt-train"]).read_text(encoding="utf-8"))
    first = next(k for k, (a, b) in enumerate(zip(merges, theirs, strict=False)) if a != b)
    found = published.compare(known, merges)
    assert found.agreeing == first > 0
    assert found.digests == {100: first >= 100}


# --- trying it out ---


def test_a_tokenizer_that_loses_text_is_told(trained: Tokenizer) -> None:
    """A document that does not come back, or has other ids elsewhere, is shown."""
    broken = replace(trained, vocab={**trained.vocab, ord("1"): b"I"})
    found = sanity.examine(broken, exports.tokenizer_json(trained), "the hat", "x")
    assert found.lost is not None
    assert "1" in found.lost
    assert not found.sound


def test_documents_are_many_and_always_the_same() -> None:
    """Empty, emoji, special tokens and characters of one to four bytes are among them."""
    texts = list(sanity.documents((SPECIAL,)))
    assert texts == list(sanity.documents((SPECIAL,)))
    assert len(texts) == sanity.DOCUMENTS
    seen = Counter(len(char.encode()) for text in texts for char in text)
    assert min(seen[size] for size in (1, 2, 3, 4)) > 100
    assert "" in texts
    assert any(SPECIAL in text for text in texts)
