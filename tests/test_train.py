"""`kata train`: what it saves, refuses and tells."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader import (
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
from grader.tokenizer import Tokenizer
from tests.trained import KATA, TEXT, made, on_text, write_text

linux = pytest.mark.skipif(sys.platform != "linux", reason="children are watched on Linux only")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def trained() -> Tokenizer:
    return on_text()


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
