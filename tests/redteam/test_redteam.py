"""Hostile submissions, each beside the outcome it must get, and honest ones that must pass.

The first line of an attack says what it is: `# A35 · send it over UDP · RAISED PermissionError`.
Several outcomes are joined by `or`; PASS is never one of them. After a further `·`: `judge`
sends it through the whole judge, `x86_64` runs it on such a machine only.
"""

from __future__ import annotations

import contextlib
import copy
import getpass
import hashlib
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from grader import catalog
from grader.errors import UsageError
from grader.expect import Mismatch, Stopped, StudentRaised, same
from grader.findings import result_outcome
from grader.judge import Options, judge
from grader.model import Kata, Limits, Outcome, Report, Submission
from grader.sandbox.host import Host
from grader.solution import Log, Solution

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")

HERE = Path(__file__).parent
SECRET = "kata-redteam-secret-51a7"
SHARED = Path("/dev/shm") / f"redteam-{os.getpid()}"
HANGING = Limits(import_s=0.3, call_s=0.3, kata_s=5.0, memory_mib=400, scratch_mib=8)
ORDINARY = Limits(import_s=20.0, call_s=20.0, kata_s=30.0, memory_mib=400, scratch_mib=8)
WATCHDOG_S = 60


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile file and what must become of it."""

    path: Path
    row: str  # of the table of attacks
    outcomes: tuple[str, ...]  # like `WRONG` or `RAISED PermissionError`
    judged: bool
    machine: str | None

    @property
    def kata(self) -> str:
        return self.path.parent.name


def read_attack(path: Path) -> Attack:
    head = path.read_text(encoding="utf-8").partition("\n")[0]
    row, _, outcomes, *options = [part.strip() for part in head.removeprefix("#").split("·")]
    assert re.fullmatch(r"A\d\d", row), path
    assert "PASS" not in outcomes.split(), path
    machine = next((option for option in options if option != "judge"), None)
    return Attack(path, row, tuple(outcomes.split(" or ")), "judge" in options, machine)


ATTACKS = [read_attack(path) for path in sorted((HERE / "attacks").glob("*/*.py"))]


def calls(kata: str) -> list[tuple[Any, ...]]:
    """A few arguments of a kata's function; made anew each time, since some are changed."""
    merges = [("e", "a"), ("ea", "t"), ("t", "ea"), ("s", "eat"), ("e", "t"), ("eat", "s")]
    where = {("a", "b"): {0, 2}, ("b", "a"): {0}, ("x", "y"): {1}, ("b", "c"): {2}}
    stats = {("a", "b"): 7, ("b", "a"): 2, ("x", "y"): 3, ("b", "c"): 3}
    words = [["a", "b", "a", "b"], ["x", "y"], ["a", "b", "c"]]
    text = b" the the the the the then then cat cat cat hat<|end|> the"
    return {
        "encode_bpe": [("seats", list(merges)), ("steat", list(merges))],
        "merge_and_update": [(words, [2, 3, 3], stats, where, ("a", "b"))],
        "train_byte_bpe": [(text, 262, ["<|end|>"])],
    }[kata]


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder with a secret file, a folder to write to, and the grader's temporary files;
    beside it a secret in shared memory.

    Open to every user, so that nothing but the sandbox protects it.
    """
    with tempfile.TemporaryDirectory(prefix="redteam-") as name:
        root = Path(name)
        for folder in (root, root / "open", root / "tmp", root / "cwd"):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o777)
        for secret in (root / "secret.txt", SHARED):
            secret.write_text(SECRET)
            secret.chmod(0o666)
        yield root
        SHARED.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def bounds(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A secret in the environment before; no hang, no process and no file after."""
    monkeypatch.setenv("GITHUB_TOKEN", SECRET)
    monkeypatch.setenv("GITHUB_ENV", str(place / "open" / "github_env"))
    monkeypatch.setattr(tempfile, "tempdir", str(place / "tmp"))
    monkeypatch.chdir(place / "cwd")
    before = traces(place)
    with watchdog(WATCHDOG_S):
        yield
    after = traces(place)
    if after != before:
        tidy(place)
    assert after == before, after


def tidy(place: Path) -> None:
    """Take away what an attack has left, so that it fails its own test only."""
    left = [*place.glob("tmp/*"), *place.glob("open/*"), *Path("/dev/shm").glob("*pwned*")]
    subprocess.run(["rm", "-rf", "--", *left], check=False)
    for child in children():
        os.kill(int(child), signal.SIGKILL)


class Hung(BaseException):
    """The test took longer than any limit allows."""


@contextlib.contextmanager
def watchdog(seconds: int) -> Iterator[None]:
    def bark(number: int, frame: FrameType | None) -> None:
        raise Hung

    previous = signal.signal(signal.SIGALRM, bark)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def traces(place: Path) -> dict[str, Any]:
    """Whatever an attack could leave behind."""
    folders = ("", "open", "tmp", "cwd")
    kept = (place / "secret.txt", SHARED)
    own = f"pytest-of-{getpass.getuser()}"  # made by pytest where a suite asks for a folder
    return {
        "files": {folder: sorted({*os.listdir(place / folder)} - {own}) for folder in folders},
        "secrets": [(path.read_text(), path.stat().st_mode) for path in kept if path.exists()],
        "shared memory": sorted(path.name for path in Path("/dev/shm").glob("*pwned*")),
        "children": children(),
    }


def children() -> list[str]:
    """The processes whose parent is this one; orphans of a child become ours as well."""
    found: list[str] = []
    for task in Path("/proc/self/task").glob("*/children"):
        found += task.read_text().split()
    return found


def source_of(path: Path, place: Path) -> bytes:
    """The submission, with what its author is assumed to know about the machine."""
    known = {
        b"@CANARY@": place / "secret.txt",
        b"@FOLDER@": place / "open",
        b"@PARENT@": os.getpid(),
    }
    source = path.read_bytes()
    for word, value in known.items():
        source = source.replace(word, str(value).encode())
    return source


def submission_of(path: Path, place: Path) -> Submission:
    source = source_of(path, place)
    return Submission(f"katas/{path.parent.name}.py", source, hashlib.sha256(source).hexdigest())


def kata_of(name: str, limits: Limits) -> Kata:
    kata = catalog.find(name)
    memory = 1024 if kata.policy == "corpus" else limits.memory_mib
    return replace(kata, limits=replace(limits, memory_mib=memory))


def outcome_of(kata: Kata, host: Host, args: tuple[Any, ...]) -> tuple[str, object]:
    """What a case that makes this one call would say, with the type of what was raised."""
    player = Solution(kata, host, Log())
    after = copy.deepcopy(args)
    expected = right_answer(kata, after)
    try:
        same(getattr(player, kata.name)(*args), expected)
        if kata.name == "merge_and_update":  # `where` may keep indices, the rest is exact
            same(args[:3], after[:3])
    except Mismatch:
        return "WRONG", player.last
    except StudentRaised as error:
        return f"RAISED {error.result.type}", error.result
    except Stopped as error:
        return str(result_outcome(error.result)), error.result
    return "PASS", player.last


def right_answer(kata: Kata, args: tuple[Any, ...]) -> Any:
    reference = getattr(catalog.reference_module(kata), kata.name)
    if not kata.signature.parameters[0].file:
        return reference(*args)
    with tempfile.NamedTemporaryFile() as file:
        file.write(args[0])
        file.flush()
        return reference(file.name, *args[1:])


@pytest.fixture(scope="module")
def isolated() -> None:
    """Attacks are for machines that can withstand them; elsewhere a report says what is missing."""
    kata = kata_of("encode_bpe", ORDINARY)
    with Host(kata, Submission("x.py", b"def encode_bpe(word, merges): pass", "")) as host:
        assert host.load() is None
        if host.isolation is None or host.isolation.level != "full":
            pytest.skip(f"isolation is not full here: {host.isolation}")


def is_due(attack: Attack, found: str) -> bool:
    return any(found == due or found.startswith(f"{due} ") for due in attack.outcomes)


def here(attack: Attack) -> bool:
    return attack.machine in (None, platform.machine())


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(
    "attack",
    [attack for attack in ATTACKS if here(attack) and not attack.judged],
    ids=lambda attack: f"{attack.kata}-{attack.path.stem}",
)
def test_an_attack_gets_its_outcome(attack: Attack, place: Path) -> None:
    """A hostile submission gets the outcome its first line says, and leaves nothing behind."""
    kata = kata_of(attack.kata, HANGING if "TIMEOUT" in attack.outcomes else ORDINARY)
    with Host(kata, submission_of(attack.path, place), hash_seed=1) as host:
        for args in calls(kata.name):
            found, why = outcome_of(kata, host, args)
            assert SECRET not in repr(why)
            if found != "PASS":
                break
    assert is_due(attack, found), f"{found}: {why}"


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(
    "attack",
    [attack for attack in ATTACKS if here(attack) and attack.judged],
    ids=lambda attack: f"{attack.kata}-{attack.path.stem}",
)
def test_an_attack_on_the_judge_gets_its_outcome(attack: Attack, place: Path) -> None:
    """The same through the whole judge: the report says so, and holds no secret.

    Strange values (A49) go through every case of the small katas: none may break a suite.
    """
    kata = kata_of(attack.kata, HANGING if "TIMEOUT" in attack.outcomes else ORDINARY)
    whole = attack.row == "A49" and kata.policy == "pure"
    options = Options(seed=1, timing=False, stop_at_first_failure=not whole, name_mistakes=whole)
    report = judge(kata, submission_of(attack.path, place), options)
    assert is_due(attack, said(report)), said(report)
    assert SECRET not in repr((report.verdicts, report.problem, report.message))


def said(report: Report) -> str:
    """The outcome of a report, with the type of what was raised."""
    shown = [v.counterexample for v in report.verdicts if v.counterexample] + [report.problem]
    note = next((example.note for example in shown if example and example.note), None) or ""
    kind = f" {note.partition(':')[0]}" if report.outcome is Outcome.RAISED else ""
    return f"{report.outcome}{kind}"


# --- attacks that are no small file ---------------------------------------------------

TOWERS = {
    "parentheses": "x = " + "(" * 90_000 + ")" * 90_000,
    "minus signs": "x = " + "-" * 200_000 + "1",
    "attributes": "x = a" + ".a" * 100_000,
    "lambdas": "x = " + "lambda: " * 30_000 + "0",
    "digits": "x = " + "9" * 200_000,
    "blocks": "\n".join(" " * i + "if 1:" for i in range(600)),
    "comparisons": "x = " + "1 < " * 60_000 + "1",
}


@pytest.mark.parametrize("what", TOWERS)
def test_source_that_breaks_a_compiler_breaks_the_child_only(what: str) -> None:
    """A52: the grader never parses a submission itself, so the worst is the child's death."""
    source = f"{TOWERS[what]}\ndef encode_bpe(word, merges): return []\n".encode()
    submission = Submission("katas/encode_bpe.py", source, "")
    kata = kata_of("encode_bpe", ORDINARY)
    with Host(kata, submission, hash_seed=1) as host:
        found, why = outcome_of(kata, host, calls(kata.name)[0])
    assert found.split()[0] in ("RAISED", "CRASH", "MEMORY", "WRONG"), why


def make_link(path: Path) -> None:
    path.symlink_to(catalog.find("encode_bpe").reference)


def make_sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 2 << 30)


UTF_7 = b"# coding: utf-7\n+AGQAZQBm encode_bpe(word, merges): return 1/0\n"
FILES: dict[str, Callable[[Path], object]] = {
    "a link to the reference": make_link,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "two gigabytes of nothing": make_sparse,
    "more than is read": lambda path: path.write_bytes(b"#" * 300_000),
    "a NUL byte": lambda path: path.write_bytes(b"x = 1\0"),
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00x"),
    "another encoding": lambda path: path.write_bytes(UTF_7),
}


@pytest.fixture
def fork(place: Path) -> Iterator[Path]:
    """A folder with nothing in it, as somebody hands it in."""
    with tempfile.TemporaryDirectory(dir=place / "cwd") as name:
        yield Path(name)


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_is_no_solution_is_refused(what: str, fork: Path) -> None:
    """A58: links, pipes, giants and what is no text are RAISED, and never waited for."""
    path = fork / "encode_bpe.py"
    FILES[what](path)
    try:
        report = judge(catalog.find("encode_bpe"), path, Options(seed=1, timing=False))
    except UsageError:
        assert what == "a folder"
    else:
        assert report.outcome is Outcome.RAISED


PLANTED = (
    "conftest.py", "sitecustomize.py", "usercustomize.py", "strategies.py", "regex.py", "json.py",
    "pytest.py", "grader/__init__.py", "reference/__init__.py", "tests/__init__.py",
)  # fmt: skip


def test_files_around_a_submission_are_not_run(
    place: Path, fork: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A17: nothing of the folder that is graded is imported or obeyed, only one file is read."""
    for name in PLANTED:
        planted = fork / name
        planted.parent.mkdir(exist_ok=True)
        planted.write_text(f"open({str(place / 'open' / 'pwned')!r}, 'w').close()\n")
    (fork / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (fork / "encode_bpe.py").write_bytes(b"def encode_bpe(word, merges): return []\n")
    monkeypatch.chdir(fork)
    options = Options(seed=1, timing=False, stop_at_first_failure=True, name_mistakes=False)
    assert judge(catalog.find("encode_bpe"), fork, options).outcome is Outcome.WRONG


# --- what is no attack ----------------------------------------------------------------

HONEST = sorted((HERE / "honest").glob("*/*.py"))


@pytest.mark.parametrize("path", HONEST, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_honest_oddity_is_right(path: Path, place: Path) -> None:
    """A right solution written in an unusual way is right, and changes no argument."""
    kata = kata_of(path.parent.name, ORDINARY)
    with Host(kata, submission_of(path, place), hash_seed=1) as host:
        for args in calls(kata.name) + calls(kata.name):
            found, why = outcome_of(kata, host, args)
            assert found == "PASS", why


@pytest.mark.parametrize(
    "name",
    ["encode_bpe/crlf", "merge_and_update/edits_in_place"],
)
def test_an_honest_oddity_passes_the_judge(name: str, place: Path) -> None:
    """So it does in the whole suite."""
    path = HERE / "honest" / f"{name}.py"
    kata = kata_of(path.parent.name, replace(ORDINARY, call_s=1.0))
    report = judge(kata, submission_of(path, place), Options(seed=1, timing=False))
    assert report.outcome is Outcome.PASS, said(report)
