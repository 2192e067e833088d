"""Taking files from forks nobody trusts: bytes of regular files, and a name for all else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader import sources
from grader.errors import UsageError
from grader.gradebook import Found
from grader.grading import moment
from tests import forks

RIGHT = b"def pair_counts(words):\n    return {}\n"
PATH = "katas/pair_counts.py"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"


def taken(path: Path, revision: str | None = None, deadline: str | None = None) -> sources.Snapshot:
    (place,) = sources.places([path], None, revision)
    return sources.read(place, ["pair_counts"], moment(deadline) if deadline else None)


def only(snapshot: sources.Snapshot) -> sources.Taken:
    (file,) = snapshot.files
    return file


# --- commits ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "found", "said"),
    [
        ({PATH: ("100644", RIGHT)}, Found.FILE, None),
        ({PATH: ("100755", RIGHT)}, Found.FILE, None),
        ({PATH: ("120000", b"/etc/passwd")}, Found.SYMLINK, "is a symbolic link"),
        ({PATH: ("160000", b"")}, Found.SUBMODULE, "is a submodule"),
        ({"katas": ("120000", b"/tmp")}, Found.SYMLINK, "katas is a symbolic link"),
        ({"katas": ("160000", b"")}, Found.SUBMODULE, "katas is a submodule"),
        ({f"{PATH}/x": ("100644", RIGHT)}, Found.NOT_A_FILE, "is a folder"),
        ({PATH: ("100644", LFS)}, Found.LFS_POINTER, "Git LFS pointer"),
        ({PATH: ("100644", b"#" * 300_000)}, Found.UNREADABLE, "larger than 256 KiB"),
        ({PATH: ("100644", b"\0")}, Found.UNREADABLE, "NUL"),
        ({"README": ("100644", b"")}, Found.MISSING, "not in this commit"),
    ],
)
def test_only_a_regular_blob_is_taken_from_a_commit(
    tmp_path: Path, files: dict[str, tuple[str, bytes]], found: Found, said: str | None
) -> None:
    """Links, submodules, folders, pointers, giants and gaps each have a name and a sentence."""
    repository = forks.bare(tmp_path / "r.git")
    name = forks.commit(repository, files)
    snapshot = taken(repository)
    assert snapshot.origin.commit == name
    assert snapshot.student == "r"
    file = only(snapshot)
    assert file.found is found
    assert file.source == (RIGHT if found is Found.FILE else b"")
    assert said is None or said in (file.text or "")


def test_a_checkout_is_read_at_a_revision(tmp_path: Path) -> None:
    """With --rev the commit counts, not what lies in the working tree."""
    root = forks.checkout(tmp_path / "r", {"pair_counts": RIGHT})
    forks.git(root, "init", "--quiet", "--initial-branch=main")
    forks.git(root, "add", ".")
    forks.git(root, "commit", "--quiet", "-m", "x")
    (root / PATH).write_bytes(b"# edited\n")
    assert only(taken(root)).source == b"# edited\n"
    assert only(taken(root, "main")).source == RIGHT
    assert only(taken(root, "nothing")).found is Found.NO_COMMIT


@pytest.mark.parametrize("revision", ["--all", "-n1", "main:katas", "\x1b[31m", "HEAD^{tree}"])
def test_a_revision_is_no_option(tmp_path: Path, revision: str) -> None:
    """Whatever is asked for is looked up as a commit and never obeyed."""
    repository = forks.bare(tmp_path / "r.git")
    forks.commit(repository, {PATH: ("100644", RIGHT)})
    assert only(taken(repository, revision)).found is Found.NO_COMMIT


def test_the_last_commit_before_the_deadline_counts(tmp_path: Path) -> None:
    """By committer date, the author date is kept, what came later is counted."""
    repository = forks.bare(tmp_path / "r.git")
    first = forks.commit(repository, {PATH: ("100644", RIGHT)}, date="2025-03-01T10:00:00+01:00")
    forks.commit(
        repository, {PATH: ("100644", b"# late")}, date="2025-03-02T00:00:00Z", parent=first
    )
    snapshot = taken(repository, deadline="2025-03-01T23:59:00Z")
    assert only(snapshot).source == RIGHT
    assert snapshot.origin.commit == first
    assert snapshot.origin.committed == snapshot.origin.authored == "2025-03-01T10:00:00+01:00"
    assert snapshot.origin.later_commits == 1
    on_time = taken(repository, deadline="2025-03-02T00:00:00Z")
    assert (only(on_time).source, on_time.origin.later_commits) == (b"# late", 0)
    too_late = only(taken(repository, deadline="2025-02-01T00:00:00Z"))
    assert too_late.found is Found.NO_COMMIT
    assert "before the deadline" in (too_late.text or "")


def test_the_configuration_of_a_fork_starts_nothing(tmp_path: Path) -> None:
    """Hooks, monitors, filters and replacement objects of a fork have no say."""
    root = forks.checkout(tmp_path / "r", {"pair_counts": RIGHT})
    mark = tmp_path / "started"
    forks.git(root, "init", "--quiet", "--initial-branch=main")
    (root / ".gitattributes").write_text("*.py filter=x diff=x\n")
    forks.git(root, "add", ".")
    forks.git(root, "commit", "--quiet", "-m", "x")
    blob = forks.git(root, "rev-parse", f"HEAD:{PATH}")
    other = forks.git(root, "hash-object", "-w", "--stdin", given=b"# replaced")
    forks.git(root, "replace", blob, other)
    program = f"touch {mark}"
    hostile = (
        f'[core]\n\tfsmonitor = "{program}"\n\tpager = "{program}"\n\tsshCommand = "{program}"\n'
        f'[filter "x"]\n\tsmudge = "{program}"\n[diff "x"]\n\ttextconv = "{program}"\n'
        f'[remote "o"]\n\turl = "ext::{program}"\n\tpromisor = true\n'
        "[protocol]\n\tallow = always\n[extensions]\n\tpartialClone = o\n"
    )
    with (root / ".git" / "config").open("a") as config:
        config.write(hostile)
    assert only(taken(root, "HEAD")).source == RIGHT
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    lacking = only(taken(root, "HEAD"))
    assert (lacking.found, "clone it again" in (lacking.text or "")) == (Found.UNREADABLE, True)
    assert not mark.exists()


@pytest.mark.parametrize("linked", [False, True])
def test_a_git_folder_that_leads_elsewhere_is_not_followed(tmp_path: Path, linked: bool) -> None:
    """It could lead to another student's repository."""
    theirs = forks.bare(tmp_path / "theirs.git")
    forks.commit(theirs, {PATH: ("100644", RIGHT)})
    mine = forks.checkout(tmp_path / "mine", {})
    if linked:
        (mine / ".git").symlink_to(theirs)
    else:
        (mine / ".git").write_text(f"gitdir: {theirs}\n")
    assert only(taken(mine, "main")).found is Found.NO_REPOSITORY


def test_a_broken_repository_is_a_result(tmp_path: Path) -> None:
    """Nothing there, no repository, and garbage where git looks: a sentence each."""
    folder = tmp_path / "all"
    (folder / "nothing").mkdir(parents=True)
    (folder / "bad.git" / "objects").mkdir(parents=True)
    (folder / "bad.git" / "HEAD").write_text("garbage")
    (folder / "link").symlink_to(tmp_path)
    for place in sources.places([folder], None, None):
        snapshot = sources.read(place, ["pair_counts"])
        assert only(snapshot).found in (Found.NO_REPOSITORY, Found.NO_COMMIT, Found.MISSING)
        assert only(snapshot).text


# --- working trees ---------------------------------------------------------------------


def test_no_link_is_followed_in_a_working_tree(tmp_path: Path) -> None:
    """Neither the file nor its folder may lead elsewhere."""
    elsewhere = forks.checkout(tmp_path / "other", {"pair_counts": RIGHT})
    linked = forks.checkout(tmp_path / "linked", {})
    (linked / PATH).symlink_to(elsewhere / PATH)
    assert only(taken(linked)).found is Found.SYMLINK
    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / "katas").symlink_to(elsewhere / "katas")
    assert only(taken(whole)).found is Found.SYMLINK


def test_strange_files_of_a_working_tree_have_names(tmp_path: Path) -> None:
    """A pipe, a folder, a giant, nothing: nothing is waited for, nothing is read whole."""
    root = forks.checkout(tmp_path / "r", {})
    assert only(taken(root)).found is Found.MISSING
    os.mkfifo(root / PATH)
    assert only(taken(root)).found is Found.NOT_A_FILE
    (root / PATH).unlink()
    (root / PATH).mkdir()
    assert only(taken(root)).found is Found.NOT_A_FILE
    (root / PATH).rmdir()
    with (root / PATH).open("wb") as file:
        file.truncate(2 << 30)
    assert only(taken(root)).found is Found.UNREADABLE
    (root / PATH).write_bytes(LFS)
    assert only(taken(root)).found is Found.LFS_POINTER
    (root / "katas" / ".git").write_text("gitdir: ../.git/modules/katas")
    assert only(taken(root)).found is Found.SUBMODULE


# --- which repositories ----------------------------------------------------------------


def test_a_folder_of_forks_is_a_fork_each(tmp_path: Path) -> None:
    """Checkouts and bare repositories side by side, in the order of their names."""
    forks.checkout(tmp_path / "all" / "bob", {"pair_counts": RIGHT})
    forks.bare(tmp_path / "all" / "alice.git")
    (tmp_path / "all" / ".hidden").mkdir()
    (tmp_path / "all" / "notes.txt").write_text("")
    found = sources.places([tmp_path / "all"], None, None)
    assert [place.student for place in found] == ["alice", "bob"]


def test_a_roster_names_students(tmp_path: Path) -> None:
    """Columns by name, paths as seen from the file, a revision where there is one."""
    roster = tmp_path / "class.csv"
    roster.write_bytes(
        "\ufeffRepository,Student,revision\r\na.git,Ada L.,v1\r\nb.git,Bob,\r\n".encode()
    )
    first, second = sources.places([], roster, "main")
    assert (first.student, first.revision) == ("Ada L.", "v1")
    assert first.path == tmp_path / "a.git"
    assert (second.student, second.revision) == ("Bob", "main")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "the first line must name the columns"),
        ("", "the first line must name the columns"),
        ("student,repository\n", "names no student"),
        ("student,repository\nada,\n", "line 2: give both"),
        ("student,repository\nada,https://x/y\n", "clone it first"),
        ("student,repository\nada,a\nada,b\n", "Two repositories are named 'ada'"),
        ('student,repository\n"ada,a\n', "unexpected end of data; mend"),
        ("\0", "no CSV file"),
    ],
)
def test_a_bad_roster_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """It names the file, the line and the remedy."""
    roster = tmp_path / "class.csv"
    roster.write_text(text)
    with pytest.raises(UsageError, match="(?s)" + said):
        sources.places([], roster, None)


def test_the_grader_never_lies_in_what_it_grades(tmp_path: Path) -> None:
    """Its own files, its interpreter and private tests must be out of a student's reach."""
    root = Path(sources.__file__).resolve().parent.parent
    (tmp_path / "r" / "private").mkdir(parents=True)
    mine = sources.Place("me", root, ".")
    theirs = sources.Place("her", tmp_path / "r", "r")
    with pytest.raises(UsageError, match="lies inside the fork"):
        sources.refuse_own_files(mine, [])
    with pytest.raises(UsageError, match="lies inside the fork"):
        sources.refuse_own_files(theirs, [tmp_path / "r" / "private"])
    sources.refuse_own_files(theirs, [tmp_path])
