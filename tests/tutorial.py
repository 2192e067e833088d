"""Plays docs/tutorial.md: runs its commands in a fresh folder and compares what they print.

`python -m tests.tutorial` writes what they print now into the page.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tutorial.md"
SEED = "2026"

#: A console block, or a body for a stub: `<!-- body of katas/x.py -->` and a block of Python.
_BLOCK = re.compile(
    r"```console\n(?P<console>.*?)```"
    r"|<!-- body of (?P<file>\S+) -->\n```python\n(?P<body>.*?)```",
    re.DOTALL,
)
#: A known mistake is named where the machine is quick enough to be sure of it.
_DIAGNOSIS = re.compile(r"\n\n(?:    \S[^\n]*\n)+    Your answers are[^\n]*(?:\n    \S[^\n]*)*")
#: What differs between two runs or two machines.
_MEASURED = (
    (r"\n  time on .*?\n\n", "\n  TIMING\n\n"),
    (r"\d[\d,.]* (?:ms|s)\b", "TIME"),
    (r"\d[\d.]*× ± \d+ %", "RATIO"),
    (r"\d[\d.]*×", "RATIO"),
    (r"peak \d+ MiB", "PEAK"),
    (r"isolation \w+", "ISOLATION"),
    (r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", "DATE"),
    (r" +(?=seed)", " "),
    (r"[▁▂▃▄▅▆▇█]+", "BARS"),
)


def play(text: str) -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)

        def played(found: re.Match[str]) -> str:
            nonlocal here
            if found["file"]:
                _write_body(here / found["file"], found["body"])
                return found[0]
            lines = []
            for command in re.findall(r"^\$ (.*)$", found["console"], re.MULTILINE):
                lines.append(f"$ {command}")
                if command.startswith("cd "):
                    here = here / command[3:]
                else:
                    lines += _run(command, here, folder)
            return "```console\n" + "\n".join(lines) + "\n```"

        return _BLOCK.sub(played, text)


def settled(text: str) -> str:
    """The page without what differs between two runs."""
    text = _DIAGNOSIS.sub("", text)
    for pattern, word in _MEASURED:
        text = re.sub(pattern, word, text, flags=re.DOTALL)
    return text


def _write_body(path: Path, body: str) -> None:
    """Put a body in the place of what follows the statement."""
    source = path.read_text(encoding="utf-8")
    head = source[: source.rindex('"""') + 3]
    path.write_text(f"{head}\n{body}", encoding="utf-8")


def _run(command: str, here: Path, home: str) -> list[str]:
    program, *words = command.split()
    assert program == "kata", command
    done = subprocess.run(
        [sys.executable, "-m", "grader", *words],
        cwd=here,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            "KATA_SEED": SEED,
            "HOME": home,
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return (done.stdout + done.stderr).rstrip("\n").split("\n")


if __name__ == "__main__":
    PAGE.write_text(play(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
