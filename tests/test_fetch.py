"""A corpus comes whole and right, or not at all and with a sentence that helps."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import random
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grader import cli, corpus, corpus_stats, fetching, library, unpack
from grader.errors import KataError
from grader.library import Archive, Entry
from tests import loopback

PUBLISHED = Path(__file__).resolve().parents[2] / "shared/data/golden/published_numbers.json"
NUMBERS = random.Random(0)
TEXT = b"".join(
    b"%x gr\xc3\xb6\xc3\x9fe<|endoftext|>\n" % NUMBERS.getrandbits(400) for _ in range(2000)
)
PACKED = gzip.compress(TEXT, 1)  # some 140 kB: many pieces of a download


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for corpora."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("KATA_CORPUS_DIR", str(folder))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


def entry(address: str, content: bytes = PACKED, text: bytes = TEXT, **known: Any) -> Entry:
    """A registered corpus `some`: packed like `content`, with the text `text`."""
    kind = known.pop("format", "gzip")
    archive = Archive(f"{address}/some.txt.gz", kind, len(content), sha(content))
    known = {"bytes": len(text), "sha256": sha(text)} | known
    return Entry("some", "a text", "free", archive=archive, **known)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fetch(found: Entry) -> bytes:
    """What is there after a fetch, which never waits."""
    holding, _ = fetching.fetch(found, pause=lambda seconds: None)
    return holding.path.read_bytes()


def refused(found: Entry) -> str:
    with pytest.raises(KataError) as caught:
        fetching.fetch(found, pause=lambda seconds: None)
    assert library.holding("some") is None
    assert caught.value.exit_code == 2
    return str(caught.value)


def left(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir() if not path.name.endswith(".lock"))


def test_a_corpus_is_fetched_unpacked_and_known(place: Path) -> None:
    """The text lies there with its hash, the archive is gone, and its name opens it."""
    with loopback.serving(PACKED, loopback.honest) as server:
        assert fetch(entry(server.address)) == TEXT
    assert left(place) == ["some.json", "some.txt"]
    assert library.holding("some") == library.Holding(
        "some", place / "some.txt", len(TEXT), sha(TEXT), "fetched"
    )


def test_what_is_here_is_not_fetched_again(place: Path) -> None:
    """The second time nobody is asked; a text that was changed is fetched anew."""
    with loopback.serving(PACKED, loopback.honest) as server:
        found = entry(server.address)
        fetch(found)
        assert fetching.fetch(found)[1]
        assert len(server.asked) == 1
        (place / "some.txt").write_bytes(b"other")
        assert fetch(found) == TEXT


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_cut_connection_is_taken_up_where_it_ended(place: Path, share: float) -> None:
    """The rest is asked for, not the whole."""
    cut = loopback.cut_after(share)
    with loopback.serving(PACKED, cut, cut, loopback.honest) as server:
        assert fetch(entry(server.address)) == TEXT
    firsts = [int((span or "bytes=0-")[6:-1]) for _, span in server.asked]
    assert firsts == sorted(firsts)
    assert (share > 0) == (firsts[-1] > 0)


def test_the_next_command_goes_on_where_the_last_gave_up(place: Path) -> None:
    """A server that keeps cutting is given up, with the number of bytes that are kept."""
    cut, dead = loopback.cut_after(0.5), loopback.status(503)
    with loopback.serving(PACKED, cut, dead) as server:
        said = refused(entry(server.address))
    kept = (place / "some.txt.gz.part").stat().st_size
    assert f"broke off after {kept:,} of {len(PACKED):,} bytes (the server answers 503)" in said
    assert "the same command goes on there" in said
    with loopback.serving(PACKED, loopback.honest) as server:
        assert fetch(entry(server.address)) == TEXT
    assert server.asked == [("/some.txt.gz", f"bytes={kept}-")]


def test_a_server_that_cannot_resume_begins_again(place: Path) -> None:
    """The whole file in answer to a part replaces what was there."""
    with loopback.serving(PACKED, loopback.cut_after(0.5), loopback.no_resume) as server:
        assert fetch(entry(server.address)) == TEXT


def test_a_file_without_a_length_is_taken(place: Path) -> None:
    """The hash decides."""
    with loopback.serving(PACKED, loopback.without_length) as server:
        assert fetch(entry(server.address)) == TEXT


@pytest.mark.parametrize(
    ("manner", "says"),
    [
        (loopback.lying(len(PACKED) + 5), f"a file of {len(PACKED) + 5:,} bytes where"),
        (loopback.lying(len(PACKED) - 5), f"a file of {len(PACKED) - 5:,} bytes where"),
        (loopback.endless, f"more than the registered {len(PACKED):,} bytes came"),
        (loopback.to("file:///etc/passwd"), "an address that is not https"),
        (loopback.to("ftp://127.0.0.1/x"), "an address that is not https"),
        (loopback.in_circles, "the server sends us in circles"),
        (loopback.status(404), "the server answers 404"),
        (loopback.status(500), r"cannot be reached (the server answers 500)"),
        (loopback.cut_after(0), r"cannot be reached (there is no connection)"),
    ],
    ids=["longer", "shorter", "endless", "file", "ftp", "circles", "404", "500", "closed"],
)
def test_a_bad_server_is_refused(place: Path, manner: loopback.Manner, says: str) -> None:
    """One sentence says what the server did, and how to do without it; nothing is left."""
    with loopback.serving(PACKED, manner) as server:
        said = refused(entry(server.address))
        assert says in said
        assert f"By hand: get {server.address}/some.txt.gz elsewhere, put it at {place}" in said
    assert [name for name in left(place) if not name.endswith(".part")] == []


def test_another_part_than_asked_for_is_refused(place: Path) -> None:
    """A 206 that begins elsewhere would be glued together wrongly."""
    with loopback.serving(PACKED, loopback.cut_after(0.5), loopback.another_part) as server:
        assert "another part than it was asked for" in refused(entry(server.address))


def test_a_wrong_hash_is_deleted(place: Path) -> None:
    """A file of the right length and other bytes is of no use."""
    other = bytes(len(PACKED))
    with loopback.serving(other, loopback.honest) as server:
        assert "its SHA-256 is not the registered one" in refused(entry(server.address))
    assert left(place) == []


def test_https_is_never_left() -> None:
    """A registered https address cannot be led to http, nor can another be registered."""
    from grader import download

    with download._session("https://example.org/x") as session:
        assert list(session.adapters) == ["https://"]
    with pytest.raises(download.Unusable), download._session("http://example.org/x"):
        pass


@pytest.mark.parametrize("spare", [-1, -len(TEXT) // 2])
def test_a_bomb_is_stopped(place: Path, spare: int) -> None:
    """An archive with more in it than the text may have is not unpacked any further."""
    with loopback.serving(PACKED, loopback.honest) as server:
        said = refused(entry(server.address, bytes=len(TEXT) + spare))
    assert "holds more than the registered" in said
    assert left(place) == ["some.txt.gz"]


@pytest.mark.parametrize(
    "content", [PACKED[:-20], b"no gzip at all", PACKED[:500] + bytes(500) + PACKED[1000:]]
)
def test_a_damaged_archive_is_refused(place: Path, content: bytes) -> None:
    """Cut off, of another kind, or damaged inside: one sentence."""
    with loopback.serving(content, loopback.honest) as server:
        assert "is damaged or cut off" in refused(entry(server.address, content))


def test_another_text_in_the_right_archive_is_refused(place: Path) -> None:
    """The text has a hash of its own."""
    with loopback.serving(PACKED, loopback.honest) as server:
        assert "it is another text" in refused(entry(server.address, sha256="0" * 64))
    assert left(place) == ["some.txt.gz"]


def test_there_has_to_be_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is asked of a server, the disk must have room for archive and text."""
    usage = shutil.disk_usage("/")._replace(free=len(TEXT) + len(PACKED) - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with loopback.serving(PACKED, loopback.honest) as server:
        said = refused(entry(server.address))
        assert "are free; make room, or set KATA_CORPUS_DIR to another folder" in said
        assert server.asked == []


def test_a_file_put_there_by_hand_is_taken(place: Path) -> None:
    """Nobody is asked; a file of another size is named."""
    place.mkdir()
    (place / "some.txt.gz").write_bytes(PACKED)
    assert fetch(entry("http://127.0.0.1:9")) == TEXT
    (place / "some.txt").unlink()
    (place / "some.json").unlink()
    (place / "some.txt.gz").write_bytes(PACKED[:-1])
    assert f"has {len(PACKED) - 1:,} bytes where" in refused(entry("http://127.0.0.1:9"))


def tar_of(**files: bytes) -> bytes:
    """A tar of these files, a `.` written as `_`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"texts/{name.replace('_', '.')}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return out.getvalue()


def test_a_tar_of_tars_becomes_one_text(place: Path) -> None:
    """Each document is followed by a separator; a hash that nobody published is noted."""
    inner = lzma.compress(tar_of(a_txt=b"one", b_txt=b"two"))
    content = lzma.compress(tar_of(x_xz=inner, c_txt=b"three", __txt=b"not this", d_md=b"nor this"))
    found = entry("", content, format="tar.xz", bytes=None, sha256=None, most_bytes=1000)
    with loopback.serving(content, loopback.honest) as server:
        archive = Archive(f"{server.address}/x.tar.xz", "tar.xz", len(content), sha(content))
        text = fetch(Entry("some", "", "", most_bytes=1000, archive=archive))
    assert text == b"one<|endoftext|>two<|endoftext|>three<|endoftext|>"
    assert found.room == 1000
    held = library.holding("some")
    assert held is not None
    assert held.sha256 == sha(text)


def test_two_processes_do_not_fetch_at_once(place: Path) -> None:
    """The second is told to wait."""
    place.mkdir()
    with fetching._alone("some", place):
        assert "Another process is at work on some" in refused(entry("http://127.0.0.1:9"))


# --- the commands -----------------------------------------------------------------------


@pytest.fixture
def registered(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[loopback.Server]:
    """The registry, with `some` on a server that is honest."""
    known = dict(library.entries())
    with loopback.serving(PACKED, loopback.honest) as server:
        made = entry(server.address, counts={"special_tokens": 2000, "lines": 1})
        monkeypatch.setattr(library, "entries", lambda: known | {"some": made})
        yield server


def kata(*argv: str) -> Result:
    return CliRunner().invoke(cli.kata, argv, standalone_mode=False)


def test_the_way_of_a_corpus(registered: loopback.Server, place: Path, tmp_path: Path) -> None:
    """Fetch, list, path, verify and stats, as a user meets them."""
    assert "not here" in kata("corpus", "list").output
    said = kata("corpus", "fetch", "some").output
    assert "its SHA-256 is the registered one" in " ".join(said.split())
    assert "is here already" in kata("corpus", "fetch", "some").output
    assert kata("corpus", "path", "some").output == f"{place / 'some.txt'}\n"
    assert kata("corpus", "verify", "some").return_value == 0
    counted = kata("corpus", "stats", "some")
    assert counted.return_value == 1  # the registry above claims one line
    rows = {line[:22].strip(): line[22:].split() for line in counted.output.splitlines()[1:]}
    assert rows["special tokens"] == ["2,000", "✓", "as", "published"]
    assert rows["lines"] == ["2,000", "published", "1"]
    assert rows["documents"] == ["2,001"]  # the last line end is one
    changed = bytearray(TEXT)
    changed[0] ^= 1
    (place / "some.txt").write_bytes(changed)
    verified = kata("corpus", "verify")
    assert verified.return_value == 1
    assert "is not some any more" in " ".join(verified.output.split())


def test_a_text_is_added_by_its_path(place: Path, tmp_path: Path) -> None:
    """It is not copied, opens by its name, completes, and is named when it has gone."""
    text = tmp_path / "novels.txt"
    text.write_text("It was a dark and stormy night. " * 50)
    said = " ".join(kata("corpus", "add", str(text)).output.split())
    assert said.endswith("is known as novels; it was not copied.")
    opened = corpus.open_corpus("novels")
    assert (opened.name, opened.size, opened.path) == ("novels", 1600, text)
    assert "novels" in library.names()
    text.write_text("shorter than it was")
    with pytest.raises(KataError, match="has changed since it became novels; `kata corpus add`"):
        corpus.open_corpus("novels")
    text.unlink()
    with pytest.raises(KataError, match="novels is no longer at"):
        corpus.open_corpus("novels")
    assert "is no longer at" in " ".join(kata("corpus", "list").output.split())
    (place / "novels.json").write_text("{")
    with pytest.raises(KataError, match="cannot be read; delete it"):
        corpus.open_corpus("novels")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["corpus", "add", "{text}", "--name", "owt-valid"], "it is another text"),
        (["corpus", "add", "{text}", "--name", "embedded"], "give another --name"),
        (["corpus", "add", "{text}", "--name", "../x"], "cannot be the name of a corpus"),
        (["corpus", "add", "{text}/../no.txt"], "There is no corpus"),
        (["corpus", "fetch", "owt-vaild"], "did you mean 'owt-valid'?"),
        (["corpus", "fetch", "embedded"], "ships with the package"),
        (["corpus", "verify", "owt-valid"], "is not on this machine"),
        (["corpus", "path", "owt-valid"], "`kata corpus fetch owt-valid` downloads 112 MB"),
        (["run", "pair_counts", "--solution", "reference", "--corpus", "owt-valid"], "downloads"),
    ],
)
def test_what_cannot_be_is_said(place: Path, tmp_path: Path, argv: list[str], says: str) -> None:
    """One sentence, exit code 2, and nothing becomes known."""
    text = tmp_path / "a.txt"
    text.write_text("text")
    with pytest.raises(KataError) as caught:
        CliRunner().invoke(
            cli.kata,
            [word.format(text=text) for word in argv],
            standalone_mode=False,
            catch_exceptions=False,
        )
    assert says in str(caught.value)
    assert caught.value.exit_code == 2
    assert not list(place.glob("*.json"))


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence has the folder, the reason and the variable."""
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("KATA_CORPUS_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(KataError, match=r"cannot be made \(Not a directory\); set KATA_CORPUS_DIR"):
        fetching.whereabouts("embedded")


def test_the_registry_is_sound() -> None:
    """Every address is https, every hash a SHA-256, every format one that can be unpacked."""
    for name, found in library.entries().items():
        assert library.is_name(name)
        assert found.room > 0
        assert found.about
        assert found.licence
        assert set(found.counts) <= set(corpus_stats.Stats.__dataclass_fields__)
        assert found.held_out is None or found.held_out in library.entries()
        if found.archive:
            assert found.archive.url.startswith("https://")
            assert len(bytes.fromhex(found.archive.sha256)) == 32
            assert found.archive.format in {"plain", *unpack.FORMATS}


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published numbers are not here")
def test_the_registry_is_what_is_published() -> None:
    """Addresses, sizes, hashes and counts are those that were gathered."""
    published = json.loads(PUBLISHED.read_text())["files"]
    for found in library.entries().values():
        if found.archive is None:
            continue
        file = published[found.archive.file]
        got = (found.archive.url, found.archive.bytes, found.archive.sha256)
        assert got == (file["url"], file["bytes"], file["sha256"])
        if text := published.get(found.archive.file.removesuffix(".gz"), {}).get("sha256"):
            assert found.archive.format == "tar.xz" or text == found.sha256
            counts = published[found.archive.file.removesuffix(".gz")]
            for name, count in found.counts.items():
                theirs = {"special_tokens": "endoftext", "documents": "docs"}.get(name, name)
                assert count == counts.get(theirs, counts.get(f"{theirs}_single_source"))
