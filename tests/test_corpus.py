"""The embedded corpus is what its notices say; other texts open or say why not."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from grader import corpus, library
from grader.errors import GraderFault, UsageError

FOLDER = Path(corpus.__file__).with_name("corpora")


def test_embedded_is_the_registered_text() -> None:
    """The unpacked text has the registered size and number of documents; its hash is checked."""
    data = corpus.embedded()
    assert len(data) == 4_935_682
    assert len(list(corpus.documents(data.decode()))) == 730


def test_manifest_accounts_for_every_byte() -> None:
    """Each row of the manifest is the next document of the text, with its length."""
    rows = (FOLDER / "embedded.manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]
    sizes = [int(row.split("\t")[2]) for row in rows]
    found = corpus.embedded().split(corpus.SPECIAL.encode())
    assert found.pop() == b""
    assert sizes == [len(document) for document in found]


def test_every_source_has_its_notice() -> None:
    """The notices name each source of the manifest with its number of documents and bytes."""
    notices = (FOLDER / "NOTICES.md").read_text(encoding="utf-8")
    totals: dict[str, tuple[int, int]] = {}
    for row in (FOLDER / "embedded.manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        _, source, size = row.split("\t")
        documents, total = totals.get(source.split("/")[0], (0, 0))
        totals[source.split("/")[0]] = documents + 1, total + int(size)
    assert len(totals) == 8
    for documents, total in totals.values():
        assert f"| {documents} | {total:,} |" in notices


def test_a_damaged_corpus_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that does not have the registered hash is refused in one sentence."""
    entry = replace(library.entries()["embedded"], sha256="0" * 64)
    monkeypatch.setattr(library, "entries", lambda: {"embedded": entry})
    with pytest.raises(GraderFault, match="damaged; reinstall"):
        corpus.embedded.__wrapped__()


def test_pre_tokens_are_split_as_gpt2_does() -> None:
    """A space belongs to the word behind it, a contraction to itself, a run of blanks splits."""
    table = corpus.word_table("They're 12  cats!!\n cats")
    assert dict(table) == {
        "They": 1, "'re": 1, " 12": 1, " ": 1, " cats": 2, "!!": 1, "\n": 1
    }  # fmt: skip


def test_nothing_is_counted_across_a_special_token() -> None:
    """A special token is no pre-token and parts the text."""
    table = corpus.word_table("a<|endoftext|>b<|endoftext|>")
    assert dict(table) == {"a": 1, "b": 1}


def test_a_file_is_a_corpus(tmp_path: Path) -> None:
    """A path opens with its file's name and size, and is sampled without being read whole."""
    path = tmp_path.resolve() / "some.txt"
    path.write_text("größe " * 100, encoding="utf-8")
    opened = corpus.open_corpus(str(path))
    assert (opened.name, opened.size, opened.path) == ("some.txt", 800, path)
    assert corpus.sample(opened, 3) == "gr"  # the third byte is half a character
    assert len(corpus.read(opened)) == 800


def test_the_embedded_corpus_opens_by_name() -> None:
    """`embedded` needs no path, and opening it reads nothing."""
    assert corpus.open_corpus("embedded") == corpus.Corpus("embedded", 4_935_682)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "There is no corpus .*: it is neither a file nor one of the known ones"),
        (b"", "is empty; give a file with text in it"),
        (b"\x89PNG\0\0", "does not look like UTF-8 text"),
        ("größe".encode("utf-16"), "does not look like UTF-8 text"),
        (bytes(range(128, 256)), "does not look like UTF-8 text"),
    ],
    ids=["missing", "empty", "binary", "utf-16", "latin-1"],
)
def test_what_is_no_corpus_is_refused(tmp_path: Path, content: bytes | None, says: str) -> None:
    """One sentence says what is wrong with the path and what to give instead."""
    path = tmp_path / "x.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        corpus.open_corpus(path)


def test_a_folder_and_a_pipe_are_no_corpora(tmp_path: Path) -> None:
    """A folder is named as one; a pipe is refused before it is opened, where it would hang."""
    with pytest.raises(UsageError, match="is a folder"):
        corpus.open_corpus(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        corpus.open_corpus(tmp_path / "pipe")


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence has the system's reason."""

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "secret.txt"
    path.write_text("text")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError, match=r"cannot be read \(Permission denied\)"):
        corpus.open_corpus(path)


def test_some_invalid_bytes_are_still_text(tmp_path: Path) -> None:
    """A stray byte is ignored, as the trainer kata ignores it."""
    path = tmp_path / "x.txt"
    path.write_bytes(b"plain text, " * 20 + b"\xff")
    assert corpus.sample(corpus.open_corpus(path)).endswith("text, ")


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (12, "12 bytes"),
        (133_027, "133 kB"),
        (4_935_682, "4.9 MB"),
        (290_000_000, "290 MB"),
        (11_900_000_000, "11.9 GB"),
    ],
)
def test_sizes_are_readable(size: int, text: str) -> None:
    """Decimal units, one digit behind the point where it says something."""
    assert corpus.megabytes(size) == text
