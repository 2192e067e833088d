"""Read one commit of a repository nobody trusts, with git's plumbing.

Every call is an argument list with an environment of our own: no system or user
configuration, no hooks, no filters, no textconv, no replacement objects, no network, and
a limit of time. The repository's own configuration is still read by git, so only commands
that start no program are used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.errors import UsageError

TIMEOUT_S = 30.0
_OPTIONS = (
    "-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
    "-c", "core.sshCommand=false", "-c", "protocol.allow=never", "-c", "core.askPass=false",
    "-c", "credential.helper=", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
)  # fmt: skip
_ENVIRONMENT = {
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_LITERAL_PATHSPECS": "1",
}


class GitProblem(Exception):
    """The repository does not give what was asked for; the sentence says why."""


class NoCommit(GitProblem):
    """There is no such revision, or no commit before the deadline."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path of a commit."""

    mode: str  # 100644, 100755, 120000 (link), 160000 (submodule), 040000 (folder)
    kind: str  # blob, commit or tree
    name: str  # the object's id
    size: int | None  # bytes of a blob


@dataclass(frozen=True, slots=True)
class Dates:
    """When a commit says it was made; a student can write either."""

    committed: str
    authored: str


def git_dir(path: Path) -> Path | None:
    """The git directory of a checkout or of a bare repository; None for any other folder.

    A `.git` that leads elsewhere is not followed: it could lead to somebody else's work.
    """
    dotgit = path / ".git"
    if dotgit.is_dir() and not dotgit.is_symlink():
        return dotgit
    bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
    return path if bare else None


@dataclass(frozen=True, slots=True)
class Repository:
    """A git directory, read only."""

    path: Path

    def commit(self, revision: str) -> str:
        """The commit a revision names."""
        asked = f"{revision}^{{commit}}"
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
        name = done.stdout.decode("ascii", "replace").strip()
        if done.returncode != 0 or not name:
            raise NoCommit(f"There is no revision {revision} in {self.path}.")
        return name

    def last_before(self, commit: str, seconds: int) -> str | None:
        """The newest ancestor (or `commit` itself) committed at or before that time."""
        return self._text("rev-list", "-1", f"--min-age={seconds}", commit, "--") or None

    def count_after(self, commit: str, seconds: int) -> int:
        """How many of its ancestors were committed after that time."""
        return int(self._text("rev-list", "--count", f"--max-age={seconds + 1}", commit, "--"))

    def dates(self, commit: str) -> Dates:
        """Committer and author date of a commit."""
        # The object itself, since every porcelain that formats dates reads configuration.
        header, _, _ = self._output("cat-file", "commit", commit).partition(b"\n\n")
        return Dates(_date(header, b"committer "), _date(header, b"author "))

    def entries(self, commit: str, paths: Sequence[str]) -> dict[str, TreeEntry]:
        """What the commit holds at these paths; those it does not hold are left out."""
        listed = self._output("ls-tree", "-z", "-l", "--full-tree", commit, "--", *paths)
        found = {}
        for line in listed.split(b"\0"):
            meta, _, path = line.partition(b"\t")
            if path:
                mode, kind, name, size = meta.decode("ascii").split()
                number = int(size) if size.isdigit() else None
                found[os.fsdecode(path)] = TreeEntry(mode, kind, name, number)
        return found

    def blobs(self, names: Iterable[str]) -> list[bytes]:
        """The bytes of these blobs, in order; ask only for those of a known small size."""
        asked = list(names)
        if not asked:
            return []
        out = self._output("cat-file", "--batch", given="\n".join(asked).encode() + b"\n")
        found, start = [], 0
        for name in asked:
            end = out.index(b"\n", start)
            words = out[start:end].split()
            if len(words) != 3 or words[1] != b"blob":
                raise GitProblem(f"{self.path} lacks the object {name}; clone it again.")
            size = int(words[2])
            found.append(out[end + 1 : end + 1 + size])
            start = end + 1 + size + 1
        return found

    def _text(self, *words: str) -> str:
        return self._output(*words).decode("ascii", "replace").strip()

    def _output(self, *words: str, given: bytes | None = None) -> bytes:
        done = self._run(*words, given=given)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            detail = f" ({said[0].removeprefix('fatal: ')})" if said else ""
            raise GitProblem(f"{self.path} cannot be read by git{detail}; clone it again.")
        return done.stdout

    def _run(self, *words: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        command = [_git(), "--no-pager", f"--git-dir={self.path}", *_OPTIONS, *words]
        try:
            return subprocess.run(
                command,
                input=given or b"",
                capture_output=True,
                env={**_ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath)},
                cwd="/",
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise GitProblem(f"git took more than {TIMEOUT_S:g} s to read {self.path}.") from None


def _date(header: bytes, field: bytes) -> str:
    """`2025-03-01T12:00:00+01:00` of a commit's header line."""
    from datetime import datetime, timedelta, timezone

    line = next((row for row in header.split(b"\n") if row.startswith(field)), b"")
    try:
        seconds, zone = line.decode("utf-8", "replace").rsplit(" ", 2)[1:]
        minutes = int(zone[1:3]) * 60 + int(zone[3:5])
        offset = timedelta(minutes=-minutes if zone[0] == "-" else minutes)
        return datetime.fromtimestamp(int(seconds), timezone(offset)).isoformat()
    except (ValueError, IndexError, OverflowError, OSError):
        return "unknown"


@cache
def _git() -> str:
    found = shutil.which("git")
    if found is None:
        raise UsageError("git is not installed; install it, or give a folder without --rev.")
    return os.path.abspath(found)
