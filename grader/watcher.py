"""Notice that a file was saved, whichever way the editor saves it."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

#: File systems whose changes made elsewhere no one reports.
_REMOTE = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "vboxsf", "vmhgfs", "drvfs"}
)
_STEP_MS, _DEBOUNCE_MS, _POLL_S = 10, 60, 0.1


class Watcher:
    """A thread that makes `handle` readable whenever something in a folder changes.

    The folder is watched and not the file, since most editors write a new file and put it
    in the place of the old one.
    """

    def __init__(self, folder: Path, *, poll: bool) -> None:
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)
        self._stop = threading.Event()
        self.problem: str | None = None
        self._thread = threading.Thread(target=self._watch, args=(folder, poll), daemon=True)
        self._thread.start()

    @property
    def handle(self) -> int:
        return self._ours.fileno()

    def clear(self) -> None:
        """Take note of everything until now."""
        with suppress(BlockingIOError):
            while self._ours.recv(4096):
                pass

    def close(self) -> None:
        self._stop.set()
        self._thread.join(2)
        self._ours.close()
        self._theirs.close()

    def _watch(self, folder: Path, poll: bool) -> None:
        try:
            if poll:
                self._poll(folder)
            else:
                self._listen(folder)
        except Exception as error:  # whatever it is, the keys still work
            self.problem = str(error) or type(error).__name__
            self._tell()

    def _listen(self, folder: Path) -> None:
        import watchfiles

        for _ in watchfiles.watch(
            folder,
            watch_filter=None,
            step=_STEP_MS,
            debounce=_DEBOUNCE_MS,
            rust_timeout=200,
            stop_event=self._stop,
            raise_interrupt=False,
            force_polling=False,
            recursive=False,
        ):
            self._tell()

    def _poll(self, folder: Path) -> None:
        """Look again and again. Not by watchfiles, which sees whole seconds only: two saves in
        one second would be one."""
        before = _look(folder)
        while not self._stop.wait(_POLL_S):
            now = _look(folder)
            if now != before:
                self._tell()
            before = now

    def _tell(self) -> None:
        with suppress(OSError):
            self._theirs.send(b".")


def _look(folder: Path) -> dict[str, tuple[int, int, int]]:
    """What a save changes about the files of a folder: time, size, and which file it is."""
    found = {}
    for entry in os.scandir(folder):
        with suppress(OSError):
            state = entry.stat(follow_symlinks=False)
            found[entry.name] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def needs_polling(folder: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Whether changes in a folder may go unreported: WSL, network and shared mounts."""
    if "microsoft" in os.uname().release.lower():
        return True
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    kind = _kind(folder.resolve(), lines)
    return kind in _REMOTE or kind.startswith("fuse.")


def _kind(folder: Path, lines: Iterable[str]) -> str:
    """The type of the file system that holds a folder; the last mount of a place counts."""
    best, kind = -1, ""
    for line in lines:
        fields = line.split()
        if len(fields) < 3:
            continue
        place = Path(fields[1].encode().decode("unicode_escape"))
        depth = len(place.parts)
        if depth >= best and (folder == place or place in folder.parents):
            best, kind = depth, fields[2]
    return kind
