"""The catalog: a kata is five files, and a fault in them is one helpful sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader import catalog
from grader.errors import CardError, UnknownKata

KATAS = [
    "pair_counts",
    "merge_pair",
    "train_bpe",
    "encode_bpe",
    "merge_and_update",
    "train_byte_bpe",
]


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of one kata's files that a test may spoil."""
    here = catalog.places()
    (tmp_path / "reference").mkdir()
    (tmp_path / "tests" / "hidden").mkdir(parents=True)
    for suffix in ("py", "toml"):
        shutil.copy(here.reference / f"merge_pair.{suffix}", tmp_path / "reference")
    shutil.copy(here.suites / "hidden" / "test_merge_pair.py", tmp_path / "tests" / "hidden")
    places = catalog.Places(tmp_path / "reference", tmp_path / "tests", None)
    monkeypatch.setattr(catalog, "places", lambda: places)
    return tmp_path


def test_the_six_katas_are_found_in_order() -> None:
    """The catalog scans; the card's `order` decides."""
    assert list(catalog.names()) == KATAS


def test_an_unknown_kata_suggests_the_nearest() -> None:
    """A slip of the keyboard is answered with the name that was meant."""
    with pytest.raises(UnknownKata, match="did you mean 'encode_bpe'"):
        catalog.find("encode_bep")
    with pytest.raises(UnknownKata, match="the katas are"):
        catalog.find("xyz")


def test_a_name_is_not_a_path() -> None:
    """A name with slashes finds nothing outside the catalog."""
    for name in ("../reference/encode_bpe", "/etc/passwd", "", "mistakes/encode_bpe"):
        with pytest.raises(UnknownKata):
            catalog.find(name)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = ", "minuts = ", "unknown key 'minuts'; did you mean 'minutes'?"),
        ("title = ", "# title = ", "the key 'title' is missing"),
        ("minutes = 10", 'minutes = "ten"', "'minutes' must be a int, not 'ten'"),
        ('level = "core"', 'level = "hard"', "it must be one of warm-up, core"),
        ('policy = "pure"', 'policy = "free"', "it must be one of pure, corpus"),
        ("hints = [", "hints = []", "'hints' needs at least 3 entries"),
        ("title = ", "title = = ", "is not valid TOML"),
        ("title = ", "arguments = {mutable = ['wrods']}\ntitle = ", "names 'wrods'"),
        ("title = ", "limits = {call_s = -1}\ntitle = ", "must be a positive number"),
        ("title = ", "limits = {cal_s = 1}\ntitle = ", "did you mean 'call_s'?"),
        ("check = ", "chek = ", "unknown key 'follow_ups[1].chek'; did you mean 'check'?"),
        ("ask = ", "ask = 1 #", "'ask' must be a str, not 1"),
        ("points = [", "points = []\nwrong = [", "unknown key 'follow_ups[1].wrong'"),
        ('"variant:', '"varient:', "did you mean 'variant'?"),
        ('"time:5"', '"time:fast"', "write `time:` and how many times"),
        ('id = "long-word"', 'id = "from-the-right"', "two follow-ups have the id"),
        ("hints = [", "hints = ['a', 'b', 'c']\nfollow_ups = ['d']", "under [[follow_ups]]"),
    ],
)
def test_a_card_with_a_fault_names_file_key_and_remedy(
    copy: Path, old: str, new: str, said: str
) -> None:
    """A typo in a card is one sentence with the file and the key."""
    card = copy / "reference" / "merge_pair.toml"
    text = card.read_text()
    assert old in text
    edited = text.replace(old, new, 1)
    if old == "hints = [":
        edited = text.partition(old)[0] + new + "\n"
    card.write_text(edited)
    with pytest.raises(CardError) as caught:
        catalog.find("merge_pair")
    assert said in str(caught.value)
    assert str(card) in str(caught.value)


def test_a_missing_file_of_a_kata_is_named(copy: Path) -> None:
    """A card without its suite says which file is missing."""
    (copy / "tests" / "hidden" / "test_merge_pair.py").unlink()
    with pytest.raises(CardError, match=r"test_merge_pair\.py is missing"):
        catalog.find("merge_pair")


@pytest.mark.parametrize("name", KATAS)
def test_a_stub_is_the_signature_and_the_statement(name: str) -> None:
    """The pristine stub compiles, defines the function and carries the whole statement."""
    kata = catalog.find(name)
    scope: dict[str, object] = {}
    exec(compile(kata.stub, name, "exec"), scope)
    function = scope[name]
    assert callable(function)
    assert ">>>" in (function.__doc__ or "")
    with pytest.raises(NotImplementedError):
        function(*[None] * len(kata.signature.parameters))


@pytest.mark.parametrize("name", KATAS)
def test_the_stub_in_the_checkout_is_the_pristine_one(name: str) -> None:
    """`katas/` holds what `kata reset` would write."""
    root = catalog.places().checkout
    if root is None:
        pytest.skip("not a checkout")
    assert (root / "katas" / f"{name}.py").read_text() == catalog.find(name).stub


@pytest.mark.parametrize("name", KATAS)
def test_every_mistake_says_what_it_is(name: str) -> None:
    """A mistake has a title in the second person, a text, and a declared outcome."""
    kata = catalog.find(name)
    found = catalog.mistakes(kata)
    assert len(found) >= 8
    for mistake in found:
        assert mistake.title.endswith("."), mistake.id
        assert "you" in mistake.title.lower(), mistake.id
        assert mistake.text, mistake.id
        assert mistake.outcome in {
            "WRONG",
            "RAISED",
            "TIMEOUT",
            "MEMORY",
            "FORBIDDEN",
            "CRASH",
            "stretch",
        }
