"""Kill `kata run` at random moments and see what is left: `python benchmarks/crash.py [RUNS]`.

Each run judges a version of its own, in the sandbox as ever, and is killed with SIGKILL
after a random part of the time a run takes. After each kill the state must be readable and
hold every version and every verdict that it held before, and each verdict that was shown.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader import catalog, workspace
from grader.journal import Journal

ROOT = Path(__file__).resolve().parent.parent
KATA = "pair_counts"


def main(runs: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        home = workspace.Workspace(Path(folder) / "my")
        workspace.create(home.root, catalog.all_katas())
        whole = timed(home, -1)
        draw = random.Random(runs)
        before: dict[bytes, str | None] = {}
        shown = lost = unreadable = 0
        for number in range(runs):
            done = killed(home, number, draw.random() * whole * 1.1)
            now = {a.source(): a.outcome for a in Journal(home.root).attempts(KATA)}
            lost += sum(source not in now for source in before)
            lost += sum(outcome is not None and now.get(s) is None for s, outcome in before.items())
            if done:
                shown += 1
                lost += now.get(version(number)) is None
            unreadable += sum(not readable(p) for p in (home.root / ".kata").rglob("*.json"))
            before = now
        judged = sum(outcome is not None for outcome in before.values())
        print(f"a whole run takes {whole:.2f} s; {runs} runs killed at random moments")
        print(f"{len(before)} versions kept, {judged} with a verdict, {shown} verdicts shown")
        print(f"lost {lost}, unreadable {unreadable}")
        return 1 if lost or unreadable else 0


def version(number: int) -> bytes:
    return f"def {KATA}(words):\n    return {{('a', 'b'): {number + 10}}}\n".encode()


def timed(home: workspace.Workspace, number: int) -> float:
    start = time.monotonic()
    killed(home, number, 60.0)
    return time.monotonic() - start


def killed(home: workspace.Workspace, number: int, seconds: float) -> bool:
    """Run a version and kill the run after some seconds; whether it showed its verdict."""
    workspace.write_atomically(home.katas / f"{KATA}.py", version(number))
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "run", KATA, "--no-timing"],
        cwd=home.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    stdout, _ = process.communicate()
    return b"next:" in stdout


def readable(path: Path) -> bool:
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
