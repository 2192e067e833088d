"""macOS and Windows behind the interface: accounts, bounds and refusals, with fakes of both."""

from __future__ import annotations

import ctypes
import io
import os
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader import bench, catalog, cli, doctor, submission
from grader.model import Isolation
from grader.render.console import console, show
from grader.render.doctor import MachineView
from grader.sandbox import canary, child, launch, macos, policy, windows
from grader.sandbox.host import Host
from grader.sandbox.macos import MacOS
from grader.sandbox.pipes import PipeProcess
from grader.sandbox.procfs import Linux
from grader.sandbox.windows import Windows
from tests import transports
from tests.samples import KATA
from tests.samples import submission as made

MIB = 1 << 20
RULES = {"processes": 1, "rlimits": {"RLIMIT_AS": 512 * MIB}}


class Child:
    """What a system is told of a process."""

    pid = 7

    def __init__(self) -> None:
        self.did: list[str] = []

    def kill(self) -> None:
        self.did.append("kill")

    def wait(self) -> int:
        self.did.append("wait")
        return 0


# --- macOS ----------------------------------------------------------------------------


class Libproc:
    """`libproc` of an Apple processor: a child (7), one it has started (8), one that ended (9)."""

    def __init__(self, frequency: int = 24_000_000) -> None:
        self.frequency = frequency
        self.usage = {7: {0: 24, 1: 48, 10: 240, 28: 100 * MIB}, 8: {0: 2400}, 9: {1: 24_000}}

    def sysctlbyname(self, name: bytes, value: Any, size: Any, new: None, length: int) -> int:
        assert name == b"hw.tbfrequency"
        value._obj.value = self.frequency
        return 0

    def proc_pid_rusage(self, pid: int, flavour: int, buffer: Any) -> int:
        if pid not in self.usage:
            return -1
        assert flavour == 4
        for place, value in self.usage[pid].items():
            struct.pack_into("=Q", buffer, 16 + 8 * place, value)
        return 0

    def proc_listpids(self, kind: int, leader: int, pids: Any, size: int) -> int:
        assert (kind, leader) == (2, 7)
        pids[0:3] = [7, 8, 9]
        return 12

    def proc_pidinfo(self, pid: int, flavour: int, more: Any, buffer: Any, size: int) -> int:
        if pid == 9:
            return 0
        struct.pack_into("=i", buffer, 84, pid - 5)
        return size


def mac(libproc: Libproc) -> MacOS:
    found = MacOS(libproc)
    found.adopt(Child(), RULES)  # type: ignore[arg-type]
    return found


def test_macos_counts_ticks_of_the_processor() -> None:
    """72 ticks of 24 MHz are 3 µs; with descendants, waited for or not, 26,712 are."""
    found = mac(Libproc())
    assert found.cpu_seconds(False) == pytest.approx(72 / 24e6)
    assert found.cpu_seconds(True) == pytest.approx((72 + 240 + 2400 + 24_000) / 24e6)
    assert found.clock_step_s == pytest.approx(1 / 24e6)
    assert mac(Libproc(10**9)).cpu_seconds(False) == pytest.approx(72e-9)


def test_macos_tells_memory_and_the_living_of_a_group() -> None:
    """The peak in MiB; each live process with its threads."""
    found = mac(Libproc())
    assert found.peak_mib() == 100.0
    assert found.group() == {7: 2, 8: 3}
    assert not found.bounds_memory


def test_a_child_of_macos_that_is_gone_has_used_nothing() -> None:
    libproc = Libproc()
    libproc.usage.clear()
    found = mac(libproc)
    assert (found.cpu_seconds(True), found.peak_mib()) == (0.0, 0.0)


@pytest.mark.parametrize("broken", [Libproc(frequency=0), SimpleNamespace()])
def test_macos_without_an_account_says_so(broken: Any) -> None:
    """No wrong number: no clock, nothing watched, and a note."""
    found = mac(broken)
    assert found.clock_step_s is None
    assert (found.cpu_seconds(True), found.peak_mib(), found.group()) == (0.0, 0.0, {})
    assert found.bounds_memory  # by what the child can set for itself
    assert "no account of a child" in found.notes[0]


def test_one_refused_limit_does_not_drop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS refuses a limit on the address space; files and CPU are limited nevertheless."""
    done = []

    def set_limits(limits: dict[str, int]) -> None:
        if "RLIMIT_AS" in limits:
            raise ValueError("current limit exceeds maximum limit")
        done.extend(limits)

    monkeypatch.setattr(child.linux, "set_limits", set_limits)
    limits = {"RLIMIT_AS": 1, "RLIMIT_FSIZE": 0, "RLIMIT_CPU": 2}
    notes: list[str] = []
    child.limit(limits, False, notes)
    assert (done, notes) == (["RLIMIT_FSIZE", "RLIMIT_CPU"], ["the system refused RLIMIT_AS"])
    child.limit(limits, True, notes)  # watched by the parent, so it is not even tried
    assert len(notes) == 1


# --- Windows --------------------------------------------------------------------------


class Kernel32:
    """A kernel32 that remembers, and refuses what it is told to."""

    def __init__(self, *refused: str) -> None:
        self.refused, self.did, self.set = refused, [], {}
        self.answers: dict[int, dict[str, int]] = {}
        self.pids: list[int] = []

    def __getattr__(self, name: str) -> Any:
        def called(*args: Any) -> int:
            self.did.append(name)
            return 0 if name in self.refused else 5

        return called

    def SetInformationJobObject(self, job: int, kind: int, pointer: Any, size: int) -> int:
        self.did.append("SetInformationJobObject")
        assert size == ctypes.sizeof(pointer._obj)
        self.set[kind] = pointer._obj
        return 0 if f"set {kind}" in self.refused else 1

    def QueryInformationJobObject(
        self, job: int, kind: int, pointer: Any, size: int, more: None
    ) -> int:
        for name, value in self.answers.get(kind, {}).items():
            setattr(pointer._obj, name, value)
        for place, pid in enumerate(self.pids if kind == windows.PIDS else ()):
            pointer._obj.pids[place] = pid
        return 1


def job(kernel32: Kernel32) -> Windows:
    found = Windows(kernel32)
    found.adopt(Child(), RULES)  # type: ignore[arg-type]
    return found


def test_the_structures_are_those_of_windows() -> None:
    """Sizes on a 64-bit system, which the calls check."""
    assert ctypes.sizeof(windows.Limits) == 144
    assert ctypes.sizeof(windows.Account) == 48
    assert windows.Pids.pids.offset == 8
    assert windows.Limits.process_memory.offset == 112


def test_a_job_bounds_a_child() -> None:
    """One process of so much memory, ended with its job, away from the screen."""
    kernel32 = Kernel32()
    found = job(kernel32)
    limits = kernel32.set[windows.LIMITS]
    assert (limits.processes, limits.process_memory) == (1, 512 * MIB)
    assert limits.flags == 0x8 | 0x100 | 0x400 | 0x2000
    assert kernel32.set[windows.SCREEN].value == 0xFF
    assert kernel32.did[-3:] == ["OpenProcess", "AssignProcessToJobObject", "CloseHandle"]
    assert (found.notes, found.bounds_memory) == ([], True)


def test_a_job_keeps_the_account() -> None:
    """Ticks of 100 ns, bytes and pids become seconds, MiB and a group."""
    kernel32 = Kernel32()
    kernel32.answers = {
        windows.ACCOUNT: {"user_time": 10_000_000, "kernel_time": 5_000_000},
        windows.LIMITS: {"peak_process_memory": 64 * MIB},
        windows.PIDS: {"assigned": 2, "listed": 2},
    }
    kernel32.pids = [7, 8]
    found = job(kernel32)
    assert found.cpu_seconds(True) == pytest.approx(1.5)
    assert found.peak_mib() == 64.0
    assert found.group() == {7: 1, 8: 1}


def test_the_end_of_a_job_is_the_end_of_all_in_it() -> None:
    """Terminated, waited for, closed; a second time does no harm."""
    kernel32, popen = Kernel32(), Child()
    found = Windows(kernel32)
    found.adopt(popen, RULES)  # type: ignore[arg-type]
    del kernel32.did[:]
    found.kill()
    assert kernel32.did == ["TerminateJobObject", "CloseHandle"]
    assert popen.did == ["kill", "wait"]
    found.kill()
    assert kernel32.did == ["TerminateJobObject", "CloseHandle"]


@pytest.mark.parametrize(
    ("refused", "note", "bounded"),
    [
        ("CreateJobObjectW", "refused a job object", False),
        (f"set {windows.LIMITS}", "limits of a job object", False),
        (f"set {windows.SCREEN}", "off the screen", True),
        ("OpenProcess", "put the child into a job object", False),
        ("AssignProcessToJobObject", "put the child into a job object", False),
    ],
)
def test_what_windows_refuses_is_a_note(refused: str, note: str, bounded: bool) -> None:
    """Nothing is raised; the note says what, and the bound is not claimed."""
    found = job(Kernel32(refused))
    assert len(found.notes) == 1
    assert note in found.notes[0]
    assert found.bounds_memory is bounded
    found.kill()
    assert found.group() == {}


def test_a_child_is_in_its_job_before_it_is_told_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over pipes, with a job: calls work, the notes reach the report, the clock is too rough."""
    kernel32 = Kernel32(f"set {windows.SCREEN}")
    sent = PipeProcess.send

    def send(self: PipeProcess, message: list[Any], deadline: float) -> int:
        kernel32.did.append("send")
        return sent(self, message, deadline)

    transports.use("pipes", monkeypatch)
    monkeypatch.setattr(PipeProcess, "send", send)
    monkeypatch.setattr(launch, "system", lambda: Windows(kernel32))
    with Host(KATA, made("def train(w, n):\n    return []"), hash_seed=1) as host:
        assert host.load() is None
        assert kernel32.did.index("AssignProcessToJobObject") < kernel32.did.index("send")
        assert host.isolation is not None
        assert "off the screen" in (host.isolation.note or "")
        assert host.clock_problem() == "this system tells CPU time in steps of 16 ms only"


def test_an_exception_of_windows_is_named() -> None:
    """Exit code 3221225477 means an access violation to few."""
    process = PipeProcess.__new__(PipeProcess)
    process._popen = SimpleNamespace(wait=lambda patience: 0xC0000005)  # type: ignore[assignment]
    assert process.how_it_died() == ("the process died of exception 0xC0000005", False)


# --- the canary, the clock and the command line ---------------------------------------


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_a_canary_leaves_out_what_it_cannot_try(
    system: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where a function is missing nothing is raised, and what was not tried is no promise."""
    monkeypatch.setattr(canary, "sys", SimpleNamespace(platform=system, executable="/none"))
    monkeypatch.setattr(canary, "ctypes", SimpleNamespace())
    monkeypatch.delattr(os, "fork")
    (tmp_path / "planted").write_bytes(b"x")
    for _ in range(2):  # and it leaves nothing that changes the next answer
        could = canary.canary(str(tmp_path / "planted"), 1000, True)
        assert could["reads_a_planted_file"]
        assert could["writes_outside_its_folder"]
        assert "reads_the_parents_environment" not in could
    assert sorted(path.name for path in tmp_path.iterdir()) == ["planted"]
    careful = policy.grade("pure", dict.fromkeys(could, False), [])
    assert careful.level == "none"


def test_what_was_not_tried_is_shown_as_such() -> None:
    """`kata doctor` says no only of what failed."""
    stdout = io.StringIO()
    found = [Isolation("none", "pure", {"a": False}), Isolation("none", "corpus", {"a": True})]
    words = {"a": "do a", "starts_a_process": "start a process"}
    show(console(stdout, width=60), MachineView({}, found, words, []))
    assert [line.split()[-2:] for line in stdout.getvalue().splitlines()[2:4]] == [
        ["no", "yes"],
        ["untried", "bounded"],
    ]


@pytest.mark.parametrize(
    ("step", "reason"),
    [(1 / 64, "in steps of 16 ms only"), (None, "does not tell the CPU time")],
)
def test_without_a_fine_clock_nothing_is_timed(
    step: float | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence instead of a number, and the verdict stands."""
    monkeypatch.setattr(Linux, "clock_step_s", step)
    kata = catalog.find("merge_pair")
    found = bench.time_kata(kata, submission.load(kata, "reference"))
    assert found is not None
    assert (found.yours_s, found.reference_s, found.ratio, found.peak_mib) == (None,) * 4
    assert found.note is not None
    assert found.note.startswith("not timed: this system")
    assert reason in found.note


def test_doctor_gets_through_on_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS without its library: the table, what is missing, and exit code 3."""
    monkeypatch.setattr(launch, "system", lambda: MacOS(SimpleNamespace()))
    monkeypatch.setattr(policy, "WITHOUT", ("landlock", "seccomp"))
    stdout = io.StringIO()
    assert doctor.examine(stdout, 60) == 3
    assert "no account of a child" in " ".join(stdout.getvalue().split())


@pytest.mark.parametrize("command", ["grade", "watch"])
def test_what_needs_fork_says_so(
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """One sentence and exit code 2, not a fault of the grader."""
    (tmp_path / "katas").mkdir()
    (tmp_path / "katas" / "merge_pair.py").write_bytes(b"x = 1\n")
    monkeypatch.delattr(os, "fork")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["kata", command, *(["."] if command == "grade" else [])])
    assert cli.main() == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"This system cannot fork, which `kata {command}` needs" in said.err


def test_no_link_is_followed_without_the_flag_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the system cannot refuse a link while it opens a file, we look first."""
    (tmp_path / "file.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to("file.py")
    monkeypatch.delattr(os, "O_NOFOLLOW")
    assert submission.read(tmp_path / "file.py").source == b"x = 1\n"
    with pytest.raises(submission.Ungradable, match="symbolic link"):
        submission.read(tmp_path / "link.py")


def test_each_system_has_its_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform decides, and only macOS and Windows load their libraries."""
    monkeypatch.setattr(macos, "library", Libproc)
    monkeypatch.setattr(windows, "library", Kernel32)
    found = {}
    for name in ("linux", "darwin", "win32", "freebsd14"):
        monkeypatch.setattr(launch, "sys", SimpleNamespace(platform=name))
        found[name] = type(launch.system()).__name__
    assert found == {
        "linux": "Linux", "darwin": "MacOS", "win32": "Windows", "freebsd14": "Posix",
    }  # fmt: skip
    monkeypatch.setattr(launch, "os", SimpleNamespace(name="nt"))
    assert launch.transport() is PipeProcess
