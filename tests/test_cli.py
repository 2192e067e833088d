"""The command line from outside: exit codes, streams, and one sentence for everything."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

import grader
from grader import catalog, cli, desk, workspace
from grader.errors import CardError, SandboxError, UsageError
from grader.model import Outcome, Report, Verdict
from tests.reports import failing, make_report, make_verdict

ROOT = Path(grader.__file__).resolve().parent.parent
KATAS = catalog.all_katas()
FIRST = KATAS[0]
CLEAN = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}


def kata(
    *args: str, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *args],
        cwd=cwd,
        env={**CLEAN, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=120,
        check=False,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A fresh workspace."""
    workspace.create(tmp_path / "my", KATAS)
    return tmp_path / "my"


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What was said on stderr: one line, no traceback, nothing on stdout."""
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("kata: ")
    return done.stderr


# --- usage -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rnu"], "There is no command 'rnu'; did you mean `kata run`?"),
        (["dev", "chekc"], "did you mean `kata dev check`?"),
        ([FIRST.name], f"did you mean `kata run {FIRST.name}`?"),
        (["run"], "Name a kata or give --all; the katas are"),
        (["run", "--all", FIRST.name], "not both"),
        (["run", FIRST.name[:-1]], f"did you mean '{FIRST.name}'?"),
        (["show", FIRST.name[:-1]], f"did you mean '{FIRST.name}'?"),
        (["run", FIRST.name, "--sede", "3"], "--seed"),
        (["run", FIRST.name, "--seed", "x"], "--seed"),
        (["run", FIRST.name, "--format", "yaml"], "--format"),
        (["run", FIRST.name, "--solution", "no.py"], "There is no file no.py"),
        (["run", FIRST.name, "--solution", "mistake:no"], "has no known mistake 'no'"),
        (["run", FIRST.name, "--output", "no/where.txt"], "--output no/where.txt"),
        (["run", FIRST.name, "--corpus", "no.txt"], "There is no corpus 'no.txt'"),
        (["run", "\x1b[31m"], r"\x1b[31m"),
        (["init"], "DIR"),
    ],
)
def test_a_wrong_command_line_is_one_sentence(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    said: str,
) -> None:
    """Exit code 2, what is wrong, and what to type instead."""
    monkeypatch.chdir(home)
    assert run_main(monkeypatch, *args) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_without_a_workspace_run_says_how_to_get_one(tmp_path: Path) -> None:
    """No folder, no solution: the sentence names both ways out."""
    done = kata("run", FIRST.name, cwd=tmp_path)
    assert done.returncode == 2
    assert "`kata init DIR`" in one_sentence(done)


def test_a_missing_file_of_the_learner_is_usage(home: Path) -> None:
    """Before any kata is judged."""
    (home / "katas" / f"{KATAS[1].name}.py").unlink()
    done = kata("run", "--all", cwd=home)
    assert done.returncode == 2
    assert f"{KATAS[1].name}.py is missing" in one_sentence(done)


def test_init_refuses_a_folder_in_use(home: Path) -> None:
    """Exit code 2, and the name of the file in the way."""
    done = kata("init", ".", cwd=home)
    assert done.returncode == 2
    assert "exists already" in one_sentence(done)


# --- help ------------------------------------------------------------------------------


def commands() -> list[tuple[str, ...]]:
    """Every command, as the words after `kata`."""
    found: list[tuple[str, ...]] = []
    for name, command in cli.kata.commands.items():
        below = getattr(command, "commands", None)
        found += [(name, sub) for sub in below] if below else [(name,)]
    return sorted(found)


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_has_help_and_a_place_in_the_docs(words: tuple[str, ...]) -> None:
    """Its first sentence, its options, and a section of docs/commands.md."""
    command = cli.kata.commands[words[0]]
    if len(words) > 1:
        command = command.commands[words[1]]  # type: ignore[attr-defined]
    assert command.help
    assert all(param.help for param in command.params if isinstance(param, click.Option))
    docs = catalog.places().checkout
    if docs is not None:
        text = (docs / "docs" / "commands.md").read_text(encoding="utf-8")
        section = re.search(rf"^## `kata {' '.join(words)}\b.*?(?=^## |\Z)", text, re.M | re.S)
        assert section, f"docs/commands.md has no section on `kata {' '.join(words)}`"
        named = [o for param in command.params for o in param.opts if o.startswith("--")]
        assert not [option for option in named if f"`{option}" not in section[0]]


def test_help_is_readable_without_utf8(tmp_path: Path) -> None:
    """`kata run --help` in a C locale is plain ASCII, and exits with 0."""
    done = kata("run", "--help", cwd=tmp_path, env={"LC_ALL": "C"})
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "\\x" not in done.stdout


def test_version(tmp_path: Path) -> None:
    """One line."""
    assert kata("--version", cwd=tmp_path).stdout == f"bpe-kata {grader.__version__}\n"


# --- the learner's way -----------------------------------------------------------------


def test_kata_alone_leads_from_nothing_to_the_first_kata(tmp_path: Path) -> None:
    """Each step names the next."""
    assert "kata init my-katas" in kata(cwd=tmp_path).stdout
    made = kata("init", "my-katas", cwd=tmp_path)
    assert made.returncode == 0
    assert f"kata show {FIRST.name}" in made.stdout
    where = kata(cwd=tmp_path / "my-katas").stdout
    assert f"0 of {len(KATAS)} passed" in where
    assert f"kata show {FIRST.name} · kata run {FIRST.name}" in where
    shown = kata("show", FIRST.name, cwd=tmp_path / "my-katas").stdout
    assert f"Write it in katas/{FIRST.name}.py." in shown
    assert ">>>" in shown


def test_every_stub_is_unwritten(home: Path) -> None:
    """Exit code 1, said kindly, on stdout."""
    done = kata("run", "--all", cwd=home)
    assert done.returncode == 1
    assert done.stdout.count("UNWRITTEN") == len(KATAS)
    assert done.stderr == ""


def test_a_run_is_remembered(home: Path) -> None:
    """The list knows what the last run found, and that the file changed since."""
    file = home / "katas" / f"{FIRST.name}.py"
    file.write_text(f"def {FIRST.name}(words):\n    return 1\n")
    assert kata("run", FIRST.name, cwd=home).returncode == 1
    assert f"✗ {FIRST.name}" in kata("list", cwd=home).stdout
    file.write_text(file.read_text() + "\n")
    assert "changed, not run" in kata("list", cwd=home).stdout


def test_a_pass_is_exit_0_and_the_same_verdicts_again(tmp_path: Path) -> None:
    """Two runs with one seed are equal in everything that is not measured."""
    from grader.render.json import dumps, verdicts

    args = ("run", FIRST.name, "--solution", "reference", "--no-timing", "--format", "json")
    one, other = (kata(*args, cwd=tmp_path, env={"KATA_SEED": "7"}) for _ in range(2))
    assert one.returncode == 0, one.stderr
    data = json.loads(one.stdout)
    assert data["passed"] is True
    assert data["reports"][0]["seed"] == 7
    assert dumps(verdicts(data)) == dumps(verdicts(json.loads(other.stdout)))


def test_a_syntax_error_points_at_the_line(home: Path) -> None:
    """Exit code 1, file and line as an editor links them, on one short screen."""
    (home / "katas" / f"{FIRST.name}.py").write_text("def f(:\n    pass\n")
    done = kata("run", FIRST.name, cwd=home)
    assert done.returncode == 1
    assert f"katas/{FIRST.name}.py:1" in done.stdout
    assert "SyntaxError" in done.stdout
    assert len(done.stdout.splitlines()) < 10
    assert done.stderr == ""


@pytest.mark.parametrize("folder", [True, False])
def test_a_solution_is_a_file_or_a_folder(tmp_path: Path, folder: bool) -> None:
    """`--solution PATH` takes both, and a shell's completion as the kata's name."""
    workspace.create(tmp_path / "other", KATAS)
    path = "other/katas" if folder else f"other/katas/{FIRST.name}.py"
    done = kata("run", f"katas/{FIRST.name}.py", "--solution", path, cwd=tmp_path)
    assert done.returncode == 1
    assert "is still the stub" in done.stdout


def test_output_goes_to_the_file_alone(home: Path) -> None:
    """The report is in the file, one line of talk on stderr, nothing on stdout."""
    target = home / "report.json"
    target.write_text("old")
    done = kata("run", FIRST.name, "--format", "json", "--output", "report.json", cwd=home)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"{FIRST.name} UNWRITTEN; the report is in report.json.\n"
    assert json.loads(target.read_text())["reports"][0]["outcome"] == "UNWRITTEN"


def test_output_to_a_device_writes_to_the_device(home: Path) -> None:
    """`/dev/stdout` is written to, never replaced."""
    done = kata("run", FIRST.name, "--output", "/dev/stdout", cwd=home)
    assert "is still the stub" in done.stdout
    assert Path("/dev/stdout").is_symlink()


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C"},
        {"PYTHONIOENCODING": "cp1252"},
    ],
    ids=lambda env: "=".join(next(iter(env.items()))),
)
def test_without_utf8_everything_is_ascii(home: Path, env: dict[str, str]) -> None:
    """Signs have their ASCII stand-ins, in every command."""
    for args in (["show", FIRST.name], ["run", "--all"], ["rün"]):
        done = kata(*args, cwd=home, env=env)
        assert (done.stdout + done.stderr).isascii()


def test_a_pipe_gets_no_colour_and_a_terminal_can_refuse_it(home: Path) -> None:
    """Colour is for terminals; `NO_COLOR` is obeyed even when it is forced."""
    assert "\x1b" not in kata("list", cwd=home).stdout
    forced = kata("list", cwd=home, env={"FORCE_COLOR": "1"})
    assert "\x1b[" in forced.stdout
    refused = kata("list", cwd=home, env={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert not re.search(r"\x1b\[[\d;]*3[0-7]", refused.stdout)


def test_a_reader_that_leaves_is_no_error(home: Path) -> None:
    """`kata list | head -1` ends quietly."""
    command = f"{sys.executable} -m grader.cli list; echo $? >&2"
    shell = f"({command}) | {sys.executable} -c 'import sys; sys.stdin.close()'"
    done = subprocess.run(
        shell, shell=True, cwd=home, env=CLEAN, capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == "0"


# --- our own faults --------------------------------------------------------------------


def run_main(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    """`kata …` in this process."""
    monkeypatch.setattr(sys, "argv", ["kata", *args])
    return cli.main()


def failing_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*args: object) -> None:
        raise error

    monkeypatch.setattr(desk, "run", fail)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("No such thing."), 2, "kata: No such thing.\n"),
        (CardError("x.toml: mend it."), 3, "kata: x.toml: mend it.\n"),
        (SandboxError("No child."), 3, "kata: No child.\n"),
        (KeyboardInterrupt(), 130, "kata: interrupted.\n"),
    ],
)
def test_what_stops_the_grader_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    said: str,
) -> None:
    """Each class has its exit code."""
    failing_with(monkeypatch, error)
    assert run_main(monkeypatch, "run", FIRST.name) == code
    assert capsys.readouterr() == ("", said)


def test_a_bug_of_ours_says_how_to_report_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3 and one sentence; the traceback only when asked for."""
    failing_with(monkeypatch, ZeroDivisionError("oops\x1b[2J"))
    monkeypatch.delenv("KATA_DEBUG", raising=False)
    assert run_main(monkeypatch, "run", FIRST.name) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert r"(ZeroDivisionError: oops\x1b[2J)" in said
    assert "KATA_DEBUG=1" in said
    monkeypatch.setenv("KATA_DEBUG", "1")
    assert run_main(monkeypatch, "run", FIRST.name) == 3
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_ends_in_one_line(home: Path) -> None:
    """An endless loop is left with 130, and no traceback."""
    (home / "katas" / f"{FIRST.name}.py").write_text("while True: pass\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader.cli", "run", FIRST.name],
        cwd=home,
        env=CLEAN,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (stdout, stderr) == ("", "kata: interrupted.\n")


# --- several katas ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([Outcome.PASS, Outcome.PASS], 0),
        ([Outcome.PASS, Outcome.UNWRITTEN], 1),
        ([Outcome.WRONG, Outcome.BROKEN, Outcome.PASS], 3),
    ],
)
def test_the_exit_code_of_several_katas(outcomes: list[Outcome], code: int) -> None:
    """3 if any is BROKEN, else 1 if any failed."""
    assert desk.exit_code([make_report(outcome) for outcome in outcomes]) == code


def test_several_katas_share_a_seed_and_are_shown_as_they_come(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Passes take a line, the failure a screen, and one seed repeats it all."""
    from grader import judge

    seeds = []

    def judged(kata: object, source: object, options: judge.Options, **listeners: object) -> Report:
        seeds.append(options.seed)
        outcome = Outcome.WRONG if len(seeds) == 2 else Outcome.PASS
        report = make_report(outcome, kata=kata, seed=options.seed)
        return report if outcome is Outcome.PASS else make_report(outcome, verdicts=failing())

    monkeypatch.setattr(judge, "judge", judged)
    monkeypatch.chdir(home)
    names = [kata.name for kata in KATAS[:3]]
    assert run_main(monkeypatch, "run", *names) == 1
    assert len(set(seeds)) == 1
    text = capsys.readouterr().out
    assert re.fullmatch(
        rf"✓ {names[0]}[^\n]*\n\nencode_bpe .*first difference\n\n✓ {names[2]}[^\n]*\n\n"
        r"2 of 3 passed[^\n]*\n",
        text,
        re.S,
    ), text


def test_progress_is_one_line_that_goes_away() -> None:
    """On a terminal the last thing judged is seen, and afterwards nothing is left."""
    import io

    from grader.render.progress import progress

    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    verdict: Verdict = make_verdict(title="A law.\x1b[2J")
    with progress(FIRST, terminal) as told:
        told(verdict)
    written = terminal.getvalue()
    assert "\x1b[2J" not in written
    assert written.rstrip("\r").endswith(("\x1b[2K", "\x1b[?25h", "\x1b[1A\x1b[2K"))
