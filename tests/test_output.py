"""Every command at every width, in every character set, and what a shell completes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from rich.cells import cell_len

import grader
from grader import catalog, cli, workspace
from grader.journal import Journal
from grader.model import Call, Counterexample, Outcome, Submission
from grader.record import Record
from grader.solution import call_source
from tests.reports import failing, make_report

ROOT = Path(grader.__file__).resolve().parent.parent
KATAS = catalog.all_katas()
KATA = catalog.find("encode_bpe")
HOSTILE = "[red]\x1b[2J\u202e::error::x"
COMMANDS = [
    [],
    ["list"],
    ["next"],
    ["hint", KATA.name, "--again"],
    ["attempts", KATA.name],
    ["attempts", KATA.name, "--diff"],
    ["solution", KATA.name, "--anyway"],
    ["debug", KATA.name],
    ["trace", "--last", KATA.name],
    ["trace", "tea:6", "eat:5", HOSTILE],
    ["progress"],
    ["due"],
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> workspace.Workspace:
    """A workspace with a history, some of it hostile."""
    root = tmp_path_factory.mktemp("out") / "my"
    workspace.create(root, KATAS)
    home = workspace.Workspace(root)
    source = f"# {HOSTILE}\ndef encode_bpe(word, merges):\n    return [word]\n".encode()
    home.file(KATA).write_bytes(source)
    submission = Submission("katas/encode_bpe.py", source, "0" * 64)
    call = call_source(KATA, Call(KATA.name, (HOSTILE, [("e", "a")])))
    found = Counterexample(call, repr(HOSTILE), None, HOSTILE, HOSTILE)
    Record(home).before(KATA, submission)
    verdicts = failing(found, title=f"A law. {HOSTILE}")
    report = make_report(Outcome.WRONG, kata=KATA, submission=submission, verdicts=verdicts)
    Record(home).after(report)
    journal = Journal(root)
    journal.add("hint", KATA.name, number=1)
    for ratio in (5.0, 1.5):
        facts = {"outcome": "PASS", "sha256": "1" * 64, "ratio": ratio, "yours_s": ratio}
        journal.add("graded", KATAS[0].name, **facts)
    return home


def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str) -> str:
    monkeypatch.setattr(sys, "argv", ["kata", *args])
    assert cli.main() in (0, 1)
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_nothing_runs_over_the_edge(
    home: workspace.Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    width: str,
) -> None:
    """Lines fit the width; what is to be copied stays whole; nothing hostile acts."""
    monkeypatch.chdir(home.root)
    text = shown(monkeypatch, capsys, *args, "--width", width)
    code = args[:1] in (["solution"], ["next"]) or "--diff" in args
    long = [line for line in text.splitlines() if cell_len(line) > int(width)]
    assert code or all("next:" in line or "kata " in line or "(" in line for line in long), long
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252"}])
@pytest.mark.parametrize("args", [["trace", "tea:6", "äß"], ["progress"], ["watch", "--help"]])
def test_without_utf8_it_is_ascii(
    home: workspace.Workspace, env: dict[str, str], args: list[str]
) -> None:
    """In a C locale and in a Windows code page."""
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli", *args],
        cwd=home.root,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **env},
        capture_output=True,
        check=True,
    )
    assert done.stdout.isascii()


def every_command() -> list[tuple[str, click.Command]]:
    found = []
    for name, command in cli.kata.commands.items():
        below = getattr(command, "commands", None)
        found += [(f"{name} {sub}", each) for sub, each in below.items()] if below else []
        found += [] if below else [(name, command)]
    return found


@pytest.mark.parametrize(("name", "command"), every_command(), ids=lambda value: str(value))
def test_every_command_has_examples(name: str, command: click.Command) -> None:
    """In its help, each beginning with the command itself."""
    text = command.help or ""
    assert re.search(rf"Examples?:\s+(eval \"\$\()?kata {name}\b", text), text


# --- completion ------------------------------------------------------------------------


def completed(home: workspace.Workspace, shell: str, *words: str) -> list[str]:
    """What the program offers for the last of these words."""
    line = " ".join(("kata", *words))
    typed = {"bash": str(len(words)), "zsh": str(len(words)), "fish": words[-1]}[shell]
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from grader.cli import main; sys.exit(main())"],
        cwd=home.root,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "_KATA_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": typed,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_katas(home: workspace.Workspace, shell: str) -> None:
    """`kata wa`, `kata hint enc`."""
    assert any("watch" in word for word in completed(home, shell, "wa"))
    assert any(KATA.name in word for word in completed(home, shell, "hint", "enc"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "merge_p"], "plain,merge_pair"),
        (["run", "--corpus", "emb"], "plain,embedded"),
        (["run", "--corpus", "no/th"], "file,no/th"),
        (["run", "encode_bpe", "--solution", "ref"], "plain,reference"),
        (["run", "encode_bpe", "--solution", "mistake:left"], "plain,mistake:leftmost_pair_first"),
        (["trace", "--last", "train_by"], "plain,train_byte_bpe"),
        (["attempts", "encode_bpe", "--re"], "plain,--restore"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_completed(home: workspace.Workspace, words: list[str], expected: str) -> None:
    """Names, corpora, files, known mistakes, options."""
    assert expected in completed(home, "bash", *words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_the_shell_reads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    """It names the program and the variable; a shell that is here parses it."""
    text = shown(monkeypatch, capsys, "completion", shell)
    assert f"_KATA_COMPLETE={shell}_complete" in text
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)
