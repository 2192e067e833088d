"""What a child may do, as data: two policies, their limits, and how isolation is graded."""

from __future__ import annotations

import os
import stat
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.model import Isolation, Limits

#: What an interpreter needs to compute, print and answer over descriptors it holds.
COMPUTE = (
    "read", "write", "close", "mmap", "munmap", "mremap", "mprotect", "brk", "madvise",
    "futex", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    "getpid", "gettid", "getrandom", "exit", "exit_group", "select", "pselect6", "poll",
    "ppoll", "sched_yield", "getrusage", "times", "restart_syscall", "sched_getaffinity",
    "rseq", "membarrier", "fstat", "lseek",
)  # fmt: skip

#: What reading a corpus and running worker processes needs on top. Landlock bounds the
#: files. No socket, no exec, no setsid or setpgid: what was started stays in the process
#: group, and dies with it however often it forked.
FILES_AND_PROCESSES = (
    "open", "openat", "stat", "lstat", "newfstatat", "statx", "ioctl", "fcntl", "dup", "dup2",
    "dup3", "pipe", "pipe2", "getdents64", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat",
    "mkdir", "mkdirat", "rmdir", "ftruncate", "fallocate", "fsync", "fdatasync", "pread64",
    "pwrite64", "readv", "writev", "fadvise64", "sendfile", "copy_file_range", "clone", "fork",
    "vfork", "wait4", "waitid", "set_tid_address", "set_robust_list", "kill", "umask",
    "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "socketpair",
    "getppid", "getuid", "geteuid", "getgid", "getegid", "getcwd",
    "uname", "sysinfo", "close_range",
)  # fmt: skip

#: Mechanisms to leave out (`landlock`, `seccomp`): tests set it to see a kernel that lacks them.
WITHOUT: tuple[str, ...] = ()

_MIB = 1 << 20
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero", "/sys/devices/system/cpu")


#: Processes and threads of one corpus child; an honest trainer starts one a core or two.
MAX_PROCESSES = 32 + 2 * (os.cpu_count() or 1)
#: Size of the /dev/shm a corpus child sees as its own.
SHARED_MIB = 64
#: Users no system gives to anybody; the child's pid is added.
UID_BASE = 1_500_000_000


def pure(limits: Limits, uid: int) -> dict[str, Any]:
    """No files, no processes, no network: arguments in, values out."""
    return {
        "name": "pure",
        "rlimits": _rlimits(limits, files=32, file_bytes=0),
        "reads": [],
        "writes": [],
        "syscalls": list(COMPUTE),
        "processes": 1,
        "imports": False,
        "uid": uid,
        "keep_reading": False,
        "private": {},
        "without": list(WITHOUT),
    }


def corpus(limits: Limits, uid: int, reads: Sequence[Path], scratch: Path) -> dict[str, Any]:
    """Reads the given files and the standard library, writes `scratch`, may fork.

    Each entry of the standard-library folder is allowed by itself, since Landlock cannot
    deny below an allowed folder and `site-packages` may hold an installed reference.
    """
    library = _standard_library()
    hidden = not all(map(_open_to_all, [Path(library[0]), *reads]))
    return {
        "name": "corpus",
        "rlimits": {
            **_rlimits(limits, files=512, file_bytes=limits.scratch_mib * _MIB),
            # Counted per user: only a user of our own makes it a count of our processes.
            **({"RLIMIT_NPROC": MAX_PROCESSES} if uid else {}),
        },
        "reads": [*map(str, reads), *library, *_DEVICES],
        # multiprocessing makes its semaphores in /dev/shm.
        "writes": [str(scratch), "/dev/shm", "/dev/null"],
        "syscalls": [*COMPUTE, *FILES_AND_PROCESSES],
        "processes": MAX_PROCESSES,
        "imports": True,
        "uid": uid,
        "keep_reading": hidden,
        "private": {str(scratch): limits.scratch_mib * _MIB, "/dev/shm": SHARED_MIB * _MIB},
        "without": list(WITHOUT),
    }


def _open_to_all(path: Path) -> bool:
    """Whether any user may read what lies there."""
    modes = [(path, stat.S_IROTH), *((parent, stat.S_IXOTH) for parent in path.parents)]
    return all(place.stat().st_mode & bit for place, bit in modes)


def _rlimits(limits: Limits, *, files: int, file_bytes: int) -> dict[str, int]:
    return {
        "RLIMIT_AS": int(limits.memory_mib) * _MIB,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": files,
        "RLIMIT_FSIZE": file_bytes,
        # A second line behind the parent's deadline.
        "RLIMIT_CPU": int(limits.kata_s) + 60,
    }


def _standard_library() -> list[str]:
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    skip = {"site-packages", "dist-packages", "__pycache__"}
    found = []
    for folder in sorted(folders):
        for entry in sorted(Path(folder).iterdir()):
            if entry.name not in skip:
                found.append(str(entry))
    return found


#: What a canary tries, in words. Under `pure` it must fail at all of it.
CAPABILITIES = {
    "reads_a_planted_file": "read a file it was not given",
    "stats_a_planted_file": "see whether a file exists",
    "writes_outside_its_folder": "write outside its folder",
    "opens_a_tcp_socket": "open a TCP socket",
    "opens_a_udp_socket": "open a UDP socket",
    "opens_a_unix_socket": "open a unix socket",
    "signals_the_parent": "signal the grader",
    "reads_the_parents_environment": "read the grader's environment",
    "starts_a_process": "start a process",
    "allocates_past_the_limit": "allocate past its limit",
}
#: A child that can do one of these is not isolated at all.
NEVER = (
    "reads_a_planted_file",
    "writes_outside_its_folder",
    "opens_a_tcp_socket",
    "opens_a_udp_socket",
    "opens_a_unix_socket",
    "signals_the_parent",
    "reads_the_parents_environment",
)
LEVELS = ("none", "partial", "full")


def grade(policy: str, could: Mapping[str, bool], notes: Sequence[str]) -> Isolation:
    """The isolation level of a policy, from what a canary could do.

    What was not tried counts as possible, so `corpus`, which may start processes, is never
    full.
    """
    if any(could.get(name, True) for name in NEVER):
        level = "none"
    elif any(could.get(name, True) for name in CAPABILITIES):
        level = "partial"
    else:
        level = "full"
    return Isolation(level, policy, dict(could), "; ".join(notes) or None)


def below(isolation: Isolation, floor: str) -> str | None:
    """Why an isolation is below a floor and what to do, or None when it is not."""
    if LEVELS.index(isolation.level) >= LEVELS.index(floor):
        return None
    could = [words for name, words in CAPABILITIES.items() if isolation.capabilities.get(name)]
    return (
        f"Isolation is {isolation.level} for {isolation.policy} katas, below {floor}: a submission "
        f"could {', '.join(could) or 'do what was not tried'}. {_remedy(isolation)}"
    )


def _remedy(isolation: Isolation) -> str:
    noted = f"({isolation.note}) " if isolation.note else ""
    return (
        f"{noted}It takes Linux 5.13 or newer with Landlock and seccomp, on x86-64 or aarch64 (WSL "
        "and containers count); see `kata doctor`."
    )


def supported() -> bool:
    return sys.platform == "linux"
