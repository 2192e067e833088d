"""A tokenizer is trained, saved so that other programs read it, and told the truth about."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import (
    catalog,
    cli,
    exports,
    library,
    published,
    published_check,
    sanity,
    train_child,
    train_desk,
    trainer,
)
from grader.corpus import SPECIAL
from grader.errors import KataError
from grader.render.console import console, show
from grader.render.meter import EVERY_S, meter
from grader.sandbox import host
from grader.tokenizer import Tokenizer, compression, sizes

GOLDEN = Path(__file__).resolve().parents[2] / "shared/data/golden"
LISTS = {
    "owt-train": "owt_train_32k_merges.gpt2fmt.txt",
    "tinystories-train": "tinystories_v2_train_10k_merges.gpt2fmt.txt",
}
KATA = catalog.find("train_byte_bpe")
TEXT = f"{KATA.statement} the größer aaaa aaab abab 👍🏽\r\n<|endoftext|>" * 4
linux = pytest.mark.skipif(sys.platform != "linux", reason="children are watched on Linux only")
golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason="the published merges are not here")


def made(merges: list[tuple[bytes, bytes]], special: tuple[str, ...] = (SPECIAL,)) -> Tokenizer:
    """The tokenizer with these merges, ids as the kata wants them."""
    tokens = [bytes([value]) for value in range(256)]
    tokens += [each.encode() for each in special] + [left + right for left, right in merges]
    return Tokenizer(dict(enumerate(tokens)), merges, special)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path


@pytest.fixture(scope="module")
def trained(text: Path) -> Tokenizer:
    """Trained by the reference on the text."""
    vocab, merges = catalog.reference_module(KATA).train_byte_bpe(str(text), 340, [SPECIAL])
    return Tokenizer(vocab, merges, (SPECIAL,))


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


# --- the command ----------------------------------------------------------------------------


def kata(*argv: str) -> Result:
    held_out = () if "--held-out" in argv else ("--held-out", argv[1])
    return CliRunner().invoke(cli.kata, ["train", *argv, *held_out], standalone_mode=False)


def words(result: Result) -> str:
    """The output on one line."""
    return " ".join(result.output.split())


RECORD = pytest.param(
    "record",
    marks=pytest.mark.skipif(not find_spec("reference.record"), reason="there is no record yet"),
)


@pytest.mark.parametrize("solution", ["reference", RECORD, str(KATA.reference)])
def test_a_tokenizer_is_trained_and_saved(
    text: Path, trained: Tokenizer, tmp_path: Path, solution: str
) -> None:
    """By our trainer in a child or by a file in the sandbox: the same files, and what was found."""
    out = tmp_path / "out"
    argv = ["--corpus", str(text), "--vocab-size", "340", "--solution", solution]
    result = kata(*argv, "--out", str(out), "--held-out", str(text))
    assert result.return_value == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == [
        "merges.txt", "tokenizer.json", "training.json", "vocab.json"
    ]  # fmt: skip
    for name, content in exports.files(trained).items():
        assert (out / name).read_text(encoding="utf-8") == content
    facts = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert facts["merges_digest"] == published.digest(trained.merges)
    assert facts["sanity"]["round_trip"]
    rate = len(TEXT.encode()) / len(trained.encode(TEXT))
    assert facts["sanity"]["bytes_per_token"][-1]["value"] == round(rate, 4)
    assert "random documents and emoji come back" in result.output
    assert "bytes per token on the text it was trained on" in result.output
    assert ("isolation" in result.output) == (solution not in train_child.OWN)


def test_a_folder_that_exists_is_left_alone(
    text: Path, trained: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before anything is trained; --force replaces our files and no others."""
    trains(monkeypatch, trained)
    (tmp_path / "mine.txt").write_text("mine")
    argv = ["--corpus", str(text), "--vocab-size", "300", "--out", str(tmp_path)]
    refused = kata(*argv)
    assert "exists; name a new folder, or add --force" in str(refused.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert kata(*argv, "--force").return_value == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 5


def test_a_folder_comes_whole_or_not_at_all(
    trained: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fills up in the midst of it leaves nothing."""
    real, written = exports.write_atomically, []

    def full(path: Path, data: bytes) -> None:
        if written:
            raise OSError(28, "No space left on device")
        written.append(path)
        real(path, data)

    monkeypatch.setattr(exports, "write_atomically", full)
    with pytest.raises(KataError, match="cannot be written: No space left on device"):
        exports.save(tmp_path / "out", exports.files(trained))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("solution", "says"),
    [
        ("{stub}", "There is no tokenizer: NotImplementedError, in line"),
        ("mistake:special_tokens_get_last_ids", "What came back is no tokenizer: the vocab has"),
        ("mistake:one_merge_too_many", "merges where 43 have room"),
        ("mistake:merges_of_ids", "due"),
    ],
)
def test_a_solution_that_gives_no_tokenizer_is_not_saved(
    text: Path, tmp_path: Path, solution: str, says: str
) -> None:
    """One sentence and exit code 1."""
    stub = tmp_path / "stub.py"
    stub.write_text(KATA.stub)
    out = tmp_path / "out"
    argv = ["--corpus", str(text), "--vocab-size", "300", "--out", str(out)]
    result = kata(*argv, "--solution", solution.format(stub=stub))
    assert result.return_value == 1
    assert says in words(result)
    assert not out.exists()


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--corpus", "{text}"], "Give --vocab-size N"),
        (["--corpus", "{text}", "--vocab-size", "257"], "leaves no room for merges"),
        (["--corpus", "{text}", "--vocab-size", "300", "--special", ""], "not empty"),
        (["--corpus", "{text}", "--vocab-size", "300", "--special", "x", "--special", "x"], "dist"),
        (["--corpus", "{text}", "--vocab-size", "300", "--special", "x", "--no-special"], "both"),
        (["--corpus", "{text}", "--check-published"], "Nothing is published about text.txt"),
        (["--corpus", "owt-train", "--check-published"], "`kata corpus fetch owt-train`"),
        (["--corpus", "{text}", "--vocab-size", "300", "--solution", "no.py"], "no file no.py"),
        (["--corpus", "{text}", "--vocab-size", "300", "--out", "{text}"], "is a file"),
        (["--corpus", "{text}", "--vocab-size", "300", "--out", "{text}/no/x"], "cannot be made"),
        (["--corpus", "{text}", "--vocab-size", "300", "--special", "a"], "reads like token 97"),
    ],
)
def test_what_cannot_be_trained_is_said(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], says: str
) -> None:
    """One sentence, exit code 2."""
    monkeypatch.setenv("KATA_CORPUS_DIR", str(tmp_path))
    result = kata(*(word.format(text=text) for word in argv))
    assert isinstance(result.exception, KataError)
    assert says in str(result.exception)
    assert result.exception.exit_code == 2


def test_without_special_tokens_the_text_is_whole(text: Path) -> None:
    """--no-special: what ends a document is text like any other."""
    result = kata("--corpus", str(text), "--vocab-size", "300", "--no-special", "--twice")
    assert result.return_value == 0
    assert "vocab 300 · 44 merges · 0 special tokens" in result.output
    assert "✓ trained twice, the same merges" in result.output


@linux
def test_a_long_training_says_how_far_it_is(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CPU time and memory of the child, and what it printed last, made one line."""
    busy = tmp_path / "busy.py"
    busy.write_text(
        "def train_byte_bpe(input_path, vocab_size, special_tokens):\n"
        "    print('one')\n"
        "    print('two', flush=True)\n"
        "    sum(range(30_000_000))\n"
        "    return {i: bytes([i]) for i in range(256)}, []\n"
    )
    monkeypatch.setattr(host, "_WATCH_S", 0.0)
    said: list[str] = []
    order = trainer.Order(text, 300, (), str(busy))
    run = trainer.train(order, trainer.load(str(busy)), said.append)
    assert run.tokenizer.size == 256
    assert run.isolation in ("partial", "none")
    assert re.fullmatch(r"\d+ s of CPU, \d+ MiB, two", said[-1]), said[-1]


def test_a_text_that_runs_out_of_pairs_is_told(tmp_path: Path) -> None:
    """Fewer ids than were asked for, and why."""
    path = tmp_path / "short.txt"
    path.write_text("aab aab aab")
    result = kata("--corpus", str(path), "--vocab-size", "300")
    assert result.return_value == 0
    assert "vocab 260 · 3 merges" in result.output
    assert "300 ids were asked for; no pair was left to merge" in result.output


def test_two_trainings_that_differ_are_told(
    text: Path, trained: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solution whose result varies is not sound."""
    runs = iter([trained, made(list(trained.merges[:-1]))])
    monkeypatch.setattr(trainer, "train", lambda *_: trainer.Run(next(runs), 1.0, 1.0, 50.0, None))
    result = kata("--corpus", str(text), "--vocab-size", "340", "--twice")
    assert result.return_value == 1
    assert "✗ trained twice, the same merges" in result.output


def test_a_tokenizer_that_loses_text_is_told(trained: Tokenizer) -> None:
    """A document that does not come back, or has other ids elsewhere, is shown."""
    broken = replace(trained, vocab={**trained.vocab, ord("1"): b"I"})
    found = sanity.examine(broken, exports.tokenizer_json(trained), "the hat", "x")
    assert found.lost is not None
    assert "1" in found.lost
    assert not found.sound


def trains(patch: pytest.MonkeyPatch, trained: Tokenizer) -> None:
    """Whatever is to be trained is trained already, and cut to size."""

    def train(order: trainer.Order, *_: object) -> trainer.Run:
        merges = list(trained.merges[: order.vocab_size - 257])
        return trainer.Run(made(merges), 1.0, 1.0, 50.0, None)

    patch.setattr(trainer, "train", train)


class Published:
    """The registry and the published tables with one small corpus in the place of owt-train."""

    def __init__(self, text: Path, folder: Path, patch: pytest.MonkeyPatch) -> None:
        patch.setenv("KATA_CORPUS_DIR", str(folder))
        entry = library.Entry(
            "some", "a text", "free", counts={"special_tokens": TEXT.count(SPECIAL)}
        )
        entries = dict(library.entries()) | {"some": replace(entry, bytes=text.stat().st_size)}
        patch.setattr(library, "entries", lambda: entries)
        record = {"path": str(text), "bytes": text.stat().st_size, "sha256": "", "source": "added"}
        (folder / "some.json").write_text(json.dumps(record))
        self.patch = patch

    def holds(self, merges: list[tuple[bytes, bytes]], tokens: int) -> None:
        """Publish these."""
        size = len(merges)
        digests = {k: published.digest(merges[:k]) for k in (10, size)}
        some = published.Merges("some", size + 257, size, digests, 3, published.checks(merges))
        texts = (
            published.Tokens("some", "some", size + 257, tokens),
            published.Tokens("owt-valid", "some", size + 257, 5),
        )
        self.patch.setattr(published, "_tables", lambda: ((some,), texts))


def test_a_training_is_compared_with_what_is_published(
    text: Path, trained: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same merges and tokens: exit 0; another merge or another number: 1, and the place."""
    register = Published(text, tmp_path, monkeypatch)
    merges, tokens = list(trained.merges), len(trained.encode(TEXT))
    argv = ["--corpus", "some", "--check-published"]
    trains(monkeypatch, trained)
    register.holds(merges, tokens)
    same = kata(*argv)
    assert same.return_value == 0, same.output
    assert f"✓ all {len(merges)} merges that both have are the same" in words(same)
    assert f"✓ {tokens:,} tokens of some, {len(TEXT.encode()) / tokens:.4f} bytes per" in words(
        same
    )
    assert "5 tokens of owt-valid: the text is not on this machine" in words(same)
    register.holds([*merges[:20], (b"q", b"z"), *merges[21:]], tokens + 1)
    other = kata(*argv)
    assert other.return_value == 1
    assert "✓ the digest of the first 10 merges" in words(other)
    assert f"✗ the first 20 of {len(merges)} merges are the same" in words(other)
    left, right = merges[20]
    assert f"as merge 20 counted from 0, yours joins {left!r} and {right!r}" in words(other)
    assert f"published are {tokens + 1:,}" in words(other)
    fewer = kata(*argv, "--vocab-size", "280")
    assert fewer.return_value == 1
    assert "the first 20 of 23 merges are the same" in words(fewer)
    assert kata(*argv, "--vocab-size", "270").return_value == 0


def test_a_published_text_is_recognised_by_its_path(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the registered size and hash is that corpus; another file is not."""
    from grader.corpus import open_corpus
    from grader.fetching import hashed

    Published(text, tmp_path, monkeypatch).holds([(b"a", b"b")], 1)
    entries = dict(library.entries())
    entries["some"] = replace(entries["some"], sha256=hashed(text)[1])
    monkeypatch.setattr(library, "entries", lambda: entries)
    opened = open_corpus(text)
    assert published_check.subject(opened, lambda message: None) == ("some", 258)
    entries["some"] = replace(entries["some"], sha256="0" * 64)
    with pytest.raises(KataError, match="Nothing is published about"):
        published_check.subject(opened, lambda message: None)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("width", [40, 60, 100])
def test_the_screen_fits(trained: Tokenizer, width: int, encoding: str) -> None:
    """Every line is within the width, in any character set, with the worst to tell."""
    order = trainer.Order(Path("x"), 340, (SPECIAL,), "\x1b[31mevil\u202e")
    known = published.Merges("some", 340, len(trained.merges), {10: "0"}, 1, b"\0" * 99)
    comparison = published.Comparison(known, 83, 20, {10: True, 83: False})
    counts = (
        published_check.Count(published.Tokens("some", "some", 340, 123456789), 10, 1234567),
        published_check.Count(published.Tokens("owt-valid", "some", 340, 123456789), None, None),
    )
    check = published_check.Check("some", comparison, trained.merges[20], counts)
    points = tuple(sanity.Point(2**k, 1 + k / 10) for k in range(9, 16))
    found = sanity.Sanity(300, "\x1b[2J", "tokenizers 1", "\u202e", points, "embedded", (b"a",))
    corpus = train_desk.Corpus("text.txt", 12_000)
    run = trainer.Run(trained, 80.0, 60.0, 290.0, "partial")
    view = train_desk.view(train_desk.Report(corpus, order, run, found, check, Path("out")))
    out = io.BytesIO()
    stream = io.TextIOWrapper(out, encoding=encoding)
    show(console(stream, width=width), view)
    stream.flush()
    shown = out.getvalue().decode(encoding)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert max(map(len, shown.splitlines())) <= width


@linux
def test_ctrl_c_ends_a_training(text: Path, tmp_path: Path) -> None:
    """Exit code 130, one line, no process and no file left."""
    endless = tmp_path / "endless.py"
    endless.write_text(
        "import sys\n"
        "def train_byte_bpe(input_path, vocab_size, special_tokens):\n"
        "    print('begun', flush=True)\n"
        "    while True:\n"
        "        pass\n"
    )
    argv = ["--corpus", str(text), "--vocab-size", "300", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "train", *argv, "--solution", str(endless)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    child = wait_for_child(process.pid)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == b""
    assert error.decode().strip() == "kata: interrupted."
    assert not Path(f"/proc/{child}").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["endless.py"]


def wait_for_child(pid: int) -> int:
    """The sandboxed child of a process, as soon as it computes."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and int(fields[11]) > 30:
                return int(stat.parent.name)
    raise AssertionError("no child came")


def test_the_meter_speaks_now_and_then() -> None:
    """Where nothing moves there is a line every ten seconds, made safe."""
    now = [0.0]
    stream = io.StringIO()
    with meter("train", stream, clock=lambda: now[0]) as told:
        told("at once")
        now[0] = EVERY_S
        told("read 5 of 10 MB \x1b[2J")
        told("a moment later")
        now[0] = 2 * EVERY_S
        told("done")
    assert stream.getvalue() == "train: read 5 of 10 MB \\x1b[2J\ntrain: done\n"


def test_documents_are_many_and_always_the_same() -> None:
    """Empty, emoji, special tokens and characters of one to four bytes are among them."""
    texts = list(sanity.documents((SPECIAL,)))
    assert texts == list(sanity.documents((SPECIAL,)))
    assert len(texts) == sanity.DOCUMENTS
    seen = Counter(len(char.encode()) for text in texts for char in text)
    assert min(seen[size] for size in (1, 2, 3, 4)) > 100
    assert "" in texts
    assert any(SPECIAL in text for text in texts)
