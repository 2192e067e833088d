"""Where submissions come from: checkouts, bare repositories, folders of them, a roster.

From each, one file a kata is taken as bytes. Nothing of a fork is imported, executed or
followed: what is no regular file is a result of its own.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import os
import re
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader import catalog, submission
from grader.errors import UsageError
from grader.gitread import GitProblem, NoCommit, Repository, TreeEntry, git_dir
from grader.gradebook import Found, Origin

FOLDER = "katas"
_LFS = b"version https://git-lfs.github.com/spec/"
_ROSTER_COLUMNS = ("student", "repository", "revision")
_ROSTER_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """One student's repository, as it was asked for."""

    student: str
    path: Path  # absolute
    given: str  # the path as a person wrote it
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """What lay where a kata's file should be."""

    kata: str
    found: Found
    path: str  # katas/<kata>.py, as a reader of the fork knows it
    source: bytes = b""
    text: str | None = None  # why it cannot be judged

    @property
    def sha256(self) -> str | None:
        """Of the bytes; None without a file."""
        return hashlib.sha256(self.source).hexdigest() if self.found is Found.FILE else None

    @property
    def line(self) -> int | None:
        """Where the function is defined, as far as a look at the text can tell."""
        pattern = rf"^(?:async +)?(?:def +)?{self.kata}\b".encode()
        match = re.search(pattern, self.source, flags=re.MULTILINE)
        return match and self.source.count(b"\n", 0, match.start()) + 1


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One student's files, read once."""

    student: str
    origin: Origin
    files: tuple[Taken, ...]


# --- which repositories ---------------------------------------------------------------


def places(paths: Sequence[Path], roster: Path | None, revision: str | None) -> list[Place]:
    """The repositories of a command line, in a fixed order.

    Raises `UsageError` for a path that does not exist and for two students of one name.
    """
    found = [place for path in paths for place in _at(path, revision)]
    if roster is not None:
        found += _roster(roster, revision)
    if not found:
        raise UsageError("Give a checkout, a repository, a folder of them, or --roster FILE.")
    seen: dict[str, Place] = {}
    for place in found:
        other = seen.setdefault(place.student, place)
        if other is not place:
            raise UsageError(
                f"Two repositories are named {place.student!r} ({other.given} and {place.given}); "
                "tell them apart in a --roster."
            )
    return found


def is_folder_of_forks(path: Path) -> bool:
    """Whether a path holds forks, and is none."""
    return path.is_dir() and git_dir(path) is None and not os.path.lexists(path / FOLDER)


def refuse_own_files(place: Place, extra: Sequence[Path]) -> None:
    """Raise when what judges lies inside the fork that is judged: a student could edit it."""
    root = Path(os.path.realpath(place.path))
    own = [Path(__file__).resolve().parent, catalog.places().reference, catalog.places().suites]
    for path in (*own, Path(sys.prefix).resolve(), *(each.resolve() for each in extra)):
        if path.is_relative_to(root):
            raise UsageError(
                f"{path} lies inside the fork {place.given}, where a student could change it; "
                "install the grader (and keep private tests) outside of what it grades."
            )


def _at(path: Path, revision: str | None) -> list[Place]:
    if not path.exists():
        raise UsageError(f"There is no folder {path}; give a checkout or a repository.")
    if not path.is_dir():
        hint = "give it as --roster." if path.suffix == ".csv" else "give the folder of a fork."
        raise UsageError(f"{path} is a file; {hint}")
    absolute = Path(os.path.realpath(path))
    if not is_folder_of_forks(absolute):
        return [Place(_name(absolute), absolute, _plain(str(path)), revision)]
    inside = sorted(entry for entry in os.listdir(absolute) if not entry.startswith("."))
    folders = [name for name in inside if not (absolute / name).is_file()]
    if not folders:
        raise UsageError(f"{path} holds no fork: neither katas/ nor a repository nor folders.")
    return [
        Place(_name(absolute / name), absolute / name, _plain(str(path / name)), revision)
        for name in folders
    ]


def _name(path: Path) -> str:
    return _plain(path.name.removesuffix(".git") or path.parent.name or "fork")


def _plain(text: str) -> str:
    """A path's text without what cannot be written as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _roster(path: Path, revision: str | None) -> list[Place]:
    """The rows of a CSV file: student, repository and, where given, revision."""
    rows = csv.DictReader(io.StringIO(_roster_text(path), newline=""), strict=True)
    found = []
    try:
        names = [(name or "").strip().lower() for name in rows.fieldnames or ()]
        if not {"student", "repository"} <= set(names):
            raise UsageError(
                f"{path}: the first line must name the columns; "
                "write `student,repository` or `student,repository,revision`."
            )
        rows.fieldnames = names
        for row in rows:
            found.append(_row(path, rows.line_num, row, revision))
    except csv.Error as error:
        raise UsageError(f"{path}, line {rows.line_num}: {error}; mend that line.") from None
    if not found:
        raise UsageError(f"{path} names no student; add a line for each.")
    return found


def _roster_text(path: Path) -> str:
    try:
        data = path.read_bytes()[: _ROSTER_BYTES + 1]
    except OSError as error:
        raise UsageError(f"--roster {path}: {error.strerror}; give a CSV file.") from None
    if len(data) > _ROSTER_BYTES or b"\0" in data:
        raise UsageError(f"--roster {path} is no CSV file of a sensible size; give one.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"--roster {path} is not UTF-8; save it as UTF-8.") from None


def _row(path: Path, line: int, row: dict[str, str | None], revision: str | None) -> Place:
    cells = {name: (row.get(name) or "").strip() for name in _ROSTER_COLUMNS}
    if not cells["student"] or not cells["repository"]:
        raise UsageError(f"{path}, line {line}: give both a student and a repository.")
    given = cells["repository"]
    if "://" in given or given.startswith("git@"):
        raise UsageError(
            f"{path}, line {line}: {given} is an address; clone it first and give the folder."
        )
    absolute = Path(os.path.realpath(path.parent / given))
    return Place(cells["student"], absolute, given, cells["revision"] or revision)


# --- the files of one -----------------------------------------------------------------


def read(place: Place, katas: Sequence[str], deadline: datetime | None = None) -> Snapshot:
    """The files of one student. Whatever is wrong with the repository is a result."""
    try:
        if place.path.is_symlink():
            raise GitProblem(f"{place.given} is a symbolic link; put the repository there.")
        if not place.path.is_dir():
            raise GitProblem(f"There is no repository {place.given}.")
        where = git_dir(place.path)
        if place.revision is None and deadline is None and where != place.path:
            return Snapshot(place.student, Origin(place.given), _worktree(place.path, katas))
        if where is None:
            raise GitProblem(f"{place.given} is no git repository.")
        return _committed(place, Repository(where), katas, deadline)
    except GitProblem as problem:
        kind = Found.NO_COMMIT if isinstance(problem, NoCommit) else Found.NO_REPOSITORY
        origin = Origin(place.given, place.revision)
        return Snapshot(place.student, origin, _all(katas, kind, str(problem)))


def _all(katas: Sequence[str], found: Found, text: str) -> tuple[Taken, ...]:
    return tuple(Taken(kata, found, _path(kata), text=text) for kata in katas)


def _path(kata: str) -> str:
    return f"{FOLDER}/{kata}.py"


def _checked(kata: str, source: bytes) -> Taken:
    """The file, if its bytes can be Python at all."""
    path = _path(kata)
    if source.startswith(_LFS):
        text = f"{path} is a Git LFS pointer, not the file; commit the file itself."
        return Taken(kata, Found.LFS_POINTER, path, text=text)
    try:
        submission.check(path, source)
    except submission.Ungradable as error:
        return Taken(kata, Found.UNREADABLE, path, text=str(error))
    return Taken(kata, Found.FILE, path, source)


# --- a commit -------------------------------------------------------------------------

_UNFIT = {
    "120000": (Found.SYMLINK, "is a symbolic link; commit the file itself."),
    "160000": (Found.SUBMODULE, "is a submodule; commit the files themselves."),
    "040000": (Found.NOT_A_FILE, "is a folder; commit a file there."),
}


def _committed(
    place: Place, repository: Repository, katas: Sequence[str], deadline: datetime | None
) -> Snapshot:
    commit = repository.commit(place.revision or "HEAD")
    later = None
    if deadline is not None:
        seconds = int(deadline.timestamp())
        before = repository.last_before(commit, seconds)
        if before is None:
            raise NoCommit(f"There is no commit before the deadline ({deadline.isoformat()}).")
        later, commit = repository.count_after(commit, seconds), before
    dates = repository.dates(commit)
    origin = Origin(
        place.given, place.revision, commit, dates.committed, dates.authored, later_commits=later
    )
    entries = repository.entries(commit, [FOLDER, *map(_path, katas)])
    if FOLDER in entries:  # the folder itself is listed only where it is something else
        above = entries[FOLDER]
        if above.mode in ("120000", "160000"):
            kind, said = _UNFIT[above.mode]
            return Snapshot(place.student, origin, _all(katas, kind, f"{FOLDER} {said}"))
    fit = {kata: e for kata in katas if (e := entries.get(_path(kata))) and _is_small_blob(e)}
    blobs = dict(zip(fit, repository.blobs(e.name for e in fit.values()), strict=True))
    files = tuple(
        _checked(kata, blobs[kata]) if kata in blobs else _unfit(kata, entries.get(_path(kata)))
        for kata in katas
    )
    return Snapshot(place.student, origin, files)


def _is_small_blob(entry: TreeEntry) -> bool:
    regular = entry.kind == "blob" and entry.mode in ("100644", "100755")
    return regular and entry.size is not None and entry.size <= submission.MAX_BYTES


def _unfit(kata: str, entry: TreeEntry | None) -> Taken:
    path = _path(kata)
    if entry is None:
        return Taken(kata, Found.MISSING, path, text=f"{path} is not in this commit.")
    if entry.mode in _UNFIT:
        kind, said = _UNFIT[entry.mode]
        return Taken(kata, kind, path, text=f"{path} {said}")
    if entry.mode not in ("100644", "100755"):
        text = f"{path} has the mode {entry.mode}, not 100644."
        return Taken(kata, Found.NOT_A_FILE, path, text=text)
    said = f"is larger than {submission.MAX_BYTES // 1024} KiB; a solution is not."
    if entry.size is None:
        said = "is in the commit, but its content is not in the repository; clone it again."
    return Taken(kata, Found.UNREADABLE, path, text=f"{path} {said}")


# --- a working tree -------------------------------------------------------------------


def _worktree(root: Path, katas: Sequence[str]) -> tuple[Taken, ...]:
    """The files as they lie there; no link is followed below the root."""
    try:
        folder = os.open(root / FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        kind, text = _why_no_folder(root, error)
        return _all(katas, kind, text)
    try:
        if os.path.lexists(root / FOLDER / ".git"):
            return _all(katas, Found.SUBMODULE, f"{FOLDER} {_UNFIT['160000'][1]}")
        return tuple(_file(folder, kata) for kata in katas)
    finally:
        os.close(folder)


def _why_no_folder(root: Path, error: OSError) -> tuple[Found, str]:
    if (root / FOLDER).is_symlink():
        return Found.SYMLINK, f"{FOLDER} {_UNFIT['120000'][1]}"
    if error.errno == errno.ENOENT:
        return Found.MISSING, f"There is no folder {FOLDER}."
    if error.errno == errno.ENOTDIR:
        return Found.NOT_A_FILE, f"{FOLDER} is not a folder."
    return Found.UNREADABLE, f"{FOLDER} cannot be read ({error.strerror})."


def _file(folder: int, kata: str) -> Taken:
    path = _path(kata)
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(f"{kata}.py", flags, dir_fd=folder)
    except FileNotFoundError:
        return Taken(kata, Found.MISSING, path, text=f"{path} is missing.")
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Taken(kata, Found.SYMLINK, path, text=f"{path} {_UNFIT['120000'][1]}")
        if error.errno == errno.ENXIO:  # a socket
            return Taken(kata, Found.NOT_A_FILE, path, text=f"{path} is not a regular file.")
        text = f"{path} cannot be read ({error.strerror})."
        return Taken(kata, Found.UNREADABLE, path, text=text)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Taken(kata, Found.NOT_A_FILE, path, text=f"{path} is not a regular file.")
        return _checked(kata, _content(descriptor))
    except OSError as error:
        text = f"{path} cannot be read ({error.strerror})."
        return Taken(kata, Found.UNREADABLE, path, text=text)
    finally:
        os.close(descriptor)


def _content(descriptor: int) -> bytes:
    """What the file holds, as far as a solution may be long and one byte on."""
    data = bytearray()
    while len(data) <= submission.MAX_BYTES:
        piece = os.read(descriptor, submission.MAX_BYTES + 1 - len(data))
        if not piece:
            break
        data += piece
    return bytes(data)
