"""The folders of one child, and their end."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path


class Scratch:
    """The folders of one child: `work` to write, `given` to read, a file it must not see."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="kata-"))
        self.root.chmod(0o711)  # a child of another user passes through to its own folder
        self.work, self.given, self.planted = (
            self.root / "work",
            self.root / "given",
            self.root / "planted",
        )
        self.work.mkdir()
        self.given.mkdir()
        self.planted.write_bytes(b"not for the child")

    def size(self) -> int:
        """Bytes on the disk of what lies in the folder the child writes."""
        total = 0
        for folder, _, files in os.walk(self.work):
            for name in files:
                with contextlib.suppress(OSError):
                    total += _on_disk(os.lstat(os.path.join(folder, name)))
        return total

    def remove(self) -> None:
        """Delete it all, however deep it is and whatever rights were taken away."""
        with contextlib.suppress(OSError, RecursionError):
            shutil.rmtree(self.root)
        if self.root.exists() and os.name == "posix":
            for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
                subprocess.run([*command, str(self.root)], check=False, stderr=subprocess.DEVNULL)


def _on_disk(found: os.stat_result) -> int:
    """Bytes, in whole blocks where the system counts these: a sparse file takes little."""
    blocks = getattr(found, "st_blocks", None)
    return found.st_size if blocks is None else int(blocks) * 512
