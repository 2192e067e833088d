"""Repositories made for the tests of grading: checkouts, bare ones, and strange ones."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from grader import catalog

IDENTITY = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
}  # fmt: skip
BLOBS = {"file": "100644", "program": "100755", "link": "120000", "submodule": "160000"}


def git(folder: Path, *words: str, given: bytes = b"", date: str = "2025-03-01T10:00:00Z") -> str:
    """Run git as a student would, at a fixed time."""
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        input=given,
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **IDENTITY, **dates},
    )
    return done.stdout.decode().strip()


def checkout(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """A plain folder with these files under `katas/`."""
    (folder / "katas").mkdir(parents=True)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / "katas" / f"{name}.py").write_bytes(data)
    return folder


def bare(folder: Path) -> Path:
    """An empty bare repository."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    return folder


def commit(
    repository: Path,
    files: Mapping[str, tuple[str, bytes]],
    *,
    date: str = "2025-03-01T10:00:00Z",
    parent: str | None = None,
) -> str:
    """A commit of exactly these paths (path -> mode, content), made without a working tree."""
    tree = _tree(repository, files)
    parents = ["-p", parent] if parent else []
    name = git(repository, "commit-tree", tree, *parents, "-m", "work", date=date)
    git(repository, "update-ref", "refs/heads/main", name)
    return name


def _tree(repository: Path, files: Mapping[str, tuple[str, bytes]]) -> str:
    rows, folders = [], {}
    for path, (mode, content) in files.items():
        head, _, rest = path.partition("/")
        if rest:
            folders.setdefault(head, {})[rest] = (mode, content)
        elif mode == "160000":
            rows.append(f"160000 commit {'1' * 40}\t{head}")
        else:
            name = git(repository, "hash-object", "-w", "--stdin", given=content)
            rows.append(f"{mode} blob {name}\t{head}")
    for head, inside in folders.items():
        rows.append(f"040000 tree {_tree(repository, inside)}\t{head}")
    return git(repository, "mktree", "--missing", given="\n".join(rows).encode() + b"\n")


def reference(kata: str) -> bytes:
    """A right solution."""
    return catalog.find(kata).reference.read_bytes()
