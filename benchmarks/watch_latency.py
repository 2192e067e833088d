"""How long after a save `kata watch` runs again, and shows what it found: medians of 20 saves.

`python benchmarks/watch_latency.py [KATA]`, on a terminal of its own. The first number is
the time until the run begins, the second until the new counterexample is on the screen.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pexpect

from grader import catalog, workspace

ROOT = Path(__file__).resolve().parent.parent
SAVES = 20


def main(name: str) -> None:
    kata = catalog.find(name)
    with tempfile.TemporaryDirectory() as folder:
        home = workspace.Workspace(Path(folder) / "my")
        workspace.create(home.root, catalog.all_katas())
        save(home.file(kata), name, 0)
        terminal = pexpect.spawn(
            sys.executable,
            ["-m", "grader", "watch", name],
            cwd=str(home.root),
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
            dimensions=(40, 100),
            timeout=60,
        )
        terminal.expect_exact("save0'")
        terminal.expect_exact(" quit")
        begun, shown = [], []
        for number in range(1, SAVES + 1):
            start = time.monotonic()
            save(home.file(kata), name, number)
            terminal.expect_exact("running")
            begun.append(time.monotonic() - start)
            terminal.expect_exact(f"save{number}'")
            shown.append(time.monotonic() - start)
            terminal.expect_exact(" quit")
        terminal.send("q")
        terminal.expect(pexpect.EOF)
    for label, times in (("runs again after", begun), ("shows it after", shown)):
        median, worst = statistics.median(times) * 1000, max(times) * 1000
        print(f"{label:<17} {median:4.0f} ms   (worst {worst:.0f} ms)")


def save(path: Path, name: str, number: int) -> None:
    workspace.write_atomically(path, f"def {name}(*given):\n    return ['save{number}']\n".encode())


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "encode_bpe")
