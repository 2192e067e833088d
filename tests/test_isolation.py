"""Isolation: measured by trying, graded honestly, and refused below a floor."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from grader import catalog
from grader.errors import IsolationTooLow
from grader.judge import Options, judge
from grader.model import Call, Isolation, Returned
from grader.sandbox import linux, policy
from grader.sandbox.host import Host
from tests.samples import FILE_KATA, KATA, submission

PURE = "def train(w, n):\n    return []"
CORPUS = "def read(path):\n    return [open(path).read()]"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")


def isolation(kata: object = KATA, source: str = PURE) -> Isolation:
    with Host(kata, submission(source), hash_seed=1) as host:  # type: ignore[arg-type]
        host.load()
        assert host.isolation is not None
        return host.isolation


def test_a_pure_child_can_do_nothing() -> None:
    """Every attempt of the canary fails, and each is in the report."""
    found = isolation()
    assert found.level == "full"
    assert dict(found.capabilities) == dict.fromkeys(policy.CAPABILITIES, False)


def test_a_corpus_child_is_partially_isolated() -> None:
    """It may start processes and see file names; everything else fails."""
    found = isolation(FILE_KATA, CORPUS)
    assert found.level == "partial"
    assert {name for name, could in found.capabilities.items() if could} == {"stats_a_planted_file"}


@pytest.mark.parametrize(("missing", "level"), [(("landlock",), "full"), (("seccomp",), "none")])
def test_a_missing_mechanism_is_found_out(
    missing: tuple[str, ...], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The level comes from what could be done: the allow-list alone is enough for pure katas."""
    monkeypatch.setattr(policy, "WITHOUT", missing)
    assert isolation().level == level


def test_no_mechanism_is_no_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without both, the report says none, for both policies, and code still runs."""
    monkeypatch.setattr(policy, "WITHOUT", ("landlock", "seccomp"))
    assert isolation().level == "none"
    with Host(FILE_KATA, submission(CORPUS), hash_seed=1) as host:
        found = host.call(Call("read", (b"text",)))
        assert isinstance(found, Returned)
        assert host.isolation is not None
        assert host.isolation.level == "none"


def test_below_the_floor_nothing_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 3, and a sentence that says what is missing and how to get it."""
    monkeypatch.setattr(policy, "WITHOUT", ("seccomp",))
    kata = catalog.find("merge_pair")
    with pytest.raises(IsolationTooLow, match="below full") as caught:
        judge(kata, "reference", Options(seed=1, timing=False, require_isolation="full"))
    assert "open a UDP socket" in str(caught.value)
    assert "kata doctor" in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("machine", linux.ARCHITECTURES)
def test_the_filter_allows_what_the_table_says(machine: str) -> None:
    """Interpreting the program gives: listed numbers pass, others fail, other ABIs die."""
    names = list(policy.COMPUTE)
    program = linux.filter_program(names, machine)
    architecture, column = linux.ARCHITECTURES[machine]
    allowed = {linux.SYSCALLS[name][column] for name in names} - {None}
    for number in range(500):
        verdict = run(program, architecture, number)
        if number == 435:
            assert verdict == 0x50000 | 38  # ENOSYS
        elif number in allowed:
            assert verdict == 0x7FFF0000
        else:
            assert verdict == 0x50000 | 1  # EPERM
    other = next(a for a, _ in linux.ARCHITECTURES.values() if a != architecture)
    assert run(program, other, 0) == 0x80000000
    if machine == "x86_64":
        assert run(program, architecture, 0x40000000) == 0x80000000  # x32


@pytest.mark.parametrize("machine", linux.ARCHITECTURES)
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("clone", [0x11, 0x3D0F00], [0x10000011, 0x20000011, 0x40000000, 0x20000, 0x80]),
        ("fcntl", [1, 2, 3, 4, 1030], [8, 10, 15]),
        ("socketpair", [1], [2, 10, 16, 0]),
    ],
)
def test_arguments_are_looked_at(machine: str, name: str, good: list[int], bad: list[int]) -> None:
    """No namespaces, no signals through descriptors, no socket pair of another family."""
    program = linux.filter_program([*policy.COMPUTE, *policy.FILES_AND_PROCESSES], machine)
    architecture, column = linux.ARCHITECTURES[machine]
    number = linux.SYSCALLS[name][column]
    assert number is not None
    position = 1 if name == "fcntl" else 0
    for value in good:
        assert run(program, architecture, number, {position: value}) == 0x7FFF0000
    for value in bad:
        assert run(program, architecture, number, {position: value}) == 0x50000 | 1


def run(
    program: list[tuple[int, int, int, int]],
    architecture: int,
    number: int,
    arguments: dict[int, int] | None = None,
) -> int:
    """A BPF machine for the five instructions a filter uses."""
    data = {0: number, 4: architecture}
    data |= {16 + 8 * i: value for i, value in (arguments or {}).items()}
    at, held = 0, 0
    while True:
        code, yes, no, operand = program[at]
        if code == 0x20:
            held = data.get(operand, 0)
            at += 1
        elif code == 0x06:
            return operand
        else:
            tests = {0x15: held == operand, 0x35: held >= operand, 0x45: bool(held & operand)}
            at += 1 + (yes if tests[code] else no)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of this architecture")
def test_the_numbers_are_the_kernels() -> None:
    """Where the kernel's headers are installed, the table agrees with them."""
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("no kernel headers here")
    text = header.read_text()
    for name, (number, _) in linux.SYSCALLS.items():
        assert f"#define __NR_{name} {number}\n" in text, name


def test_dangerous_calls_are_in_no_list() -> None:
    """What could leave the group, gain rights or reach the network is not even in the table."""
    for name in (
        "socket", "connect", "sendto", "sendmsg", "execve", "execveat", "setsid", "setpgid",
        "ptrace", "process_vm_readv", "unshare", "setns", "mount", "prctl", "prlimit64",
        "setrlimit", "io_uring_setup", "keyctl", "memfd_create", "bpf", "setuid", "tgkill",
    ):  # fmt: skip
        assert name not in linux.SYSCALLS


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_an_unprivileged_user_is_isolated_as_well(tmp_path: Path) -> None:
    """The same levels without root, in a process of another user."""
    program = tmp_path / "try.py"
    program.write_text(
        "import os, sys\n"
        "sys.path[:0] = eval(sys.argv[1])\n"
        "import tests.test_isolation as t, regex, pytest\n"
        "os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
        "print(t.isolation().level, t.isolation(t.FILE_KATA, t.CORPUS).level)\n"
    )
    readable = Path(sys.executable).resolve()
    if not all(parent.stat().st_mode & 1 for parent in readable.parents):
        pytest.skip("this interpreter lies in a private folder")
    done = subprocess.run(
        [sys.executable, str(program), repr(sys.path)],
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    assert done.stdout.split() == ["full", "partial"], done.stderr


def test_elsewhere_the_report_is_honest(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system without the sandbox the child runs and the level is what the canary found."""
    monkeypatch.setattr(sys, "platform", "darwin")
    found = isolation()
    assert found.level == "none"
    assert found.capabilities["opens_a_tcp_socket"]
