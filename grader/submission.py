"""Find, read and hash one student file. Everything about it is hostile."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

from grader import catalog
from grader.errors import UsageError
from grader.model import Kata, Submission

MAX_BYTES = 256 * 1024
#: Follow no link, wait for no pipe; Windows has neither flag, and gets a look ahead instead.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC")
)


class Ungradable(Exception):
    """The file exists but is no submission; the sentence says why and what to do."""


def load(kata: Kata, solution: str | Path) -> Submission:
    """The submission that `--solution` names: `reference`, `mistake:ID`, a file or a folder.

    Raises `UsageError` when there is nothing of that name, `Ungradable` for a file that
    cannot be graded.
    """
    if solution == "reference":
        return _trusted(kata.reference, None)
    if isinstance(solution, str) and solution.startswith("mistake:"):
        return _trusted(kata.mistakes, _mistake(kata, solution.removeprefix("mistake:")))
    path = Path(solution)
    return read(path / f"{kata.name}.py" if path.is_dir() else path)


def read(path: Path) -> Submission:
    """Read one file without following a link, waiting on a pipe or reading a giant."""
    try:
        if not hasattr(os, "O_NOFOLLOW") and path.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}; check the path or run `kata init`.") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Ungradable(f"{path} is a symbolic link; put the file itself there.") from None
        raise Ungradable(f"{path} cannot be read ({error.strerror}); mend that.") from None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise Ungradable(f"{path} is not a regular file; put the file itself there.")
        source = file.read(MAX_BYTES + 1)
    return check(str(path), source)


def check(path: str, source: bytes) -> Submission:
    """The submission of these bytes; raises `Ungradable` for what cannot be Python text."""
    if len(source) > MAX_BYTES:
        raise Ungradable(f"{path} is larger than {MAX_BYTES // 1024} KiB; a solution is not.")
    if b"\0" in source:
        raise Ungradable(f"{path} holds NUL bytes, so it is not Python source; save it as text.")
    try:
        source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise Ungradable(f"{path} is not UTF-8 (line {line}); save it as UTF-8.") from None
    return Submission(path, source, hashlib.sha256(source).hexdigest())


def is_unwritten(kata: Kata, submission: Submission) -> bool:
    """Whether the file is the pristine stub, whatever its line ends."""
    text = submission.source.decode("utf-8-sig")
    return text.replace("\r\n", "\n").strip() == kata.stub.strip()


def _trusted(path: Path, entry: str | None) -> Submission:
    source = path.read_bytes()
    return Submission(str(path), source, hashlib.sha256(source).hexdigest(), entry)


def _mistake(kata: Kata, name: str) -> str:
    known = [mistake.id for mistake in catalog.mistakes(kata)]
    if name not in known:
        near = catalog.nearest(name, known)
        offer = f"did you mean {near!r}?" if near else f"known are {', '.join(known)}."
        raise UsageError(f"{kata.name} has no known mistake {name!r}; {offer}")
    return name
