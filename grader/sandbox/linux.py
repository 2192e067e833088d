"""Lock this process for good: rlimits, no_new_privs, Landlock, seccomp. Linux, ctypes.

Called by the child before it has seen a line of the submission. Each mechanism covers
what the other leaves open: Landlock files, TCP, ptrace and signals; seccomp everything
Landlock does not see (stat, UDP, unix sockets, fork, io_uring …).

Standard library only, no imports of ours: the child loads this file by itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import struct
import sys
from typing import Any

with contextlib.suppress(ImportError):
    import resource  # not on Windows

# The parent imports this file everywhere; only Linux uses it.
_libc: Any = ctypes.CDLL(None if os.name == "posix" else "msvcrt", use_errno=True)
if sys.platform == "linux":
    _libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SIGKILL = 9


class LockError(Exception):
    """A mechanism the kernel claims to have refused to be used."""


def lock(policy: dict[str, Any], log: list[str]) -> None:
    """Apply a policy (see `policy.py`) to this process and all it will ever start.

    What the kernel lacks is left out and said in `log`; nothing here can be undone.
    """
    if policy["private"] and private_folders(policy["private"], policy["uid"], log):
        os.chdir(os.getcwd())  # into what now lies over it
    if policy["uid"]:
        _become(policy["uid"], policy["keep_reading"], log)
    _prctl(PR_SET_PDEATHSIG, SIGKILL)  # after the change of user, which would clear it
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    set_limits(policy["rlimits"])
    scoped = False
    if "landlock" not in policy["without"]:
        scoped = _landlock(policy["reads"], policy["writes"], log)
    allowed = policy["syscalls"]
    if "kill" in allowed and not scoped:
        # Without a scope it would reach the grader. `multiprocessing.Pool` ends workers with it.
        allowed = [name for name in allowed if name != "kill"]
        log.append("the kernel does not scope signals, so worker pools may not work")
    if "seccomp" not in policy["without"]:
        _seccomp(allowed, log)


def set_limits(limits: dict[str, int]) -> None:
    """Set soft and hard rlimits, by names like `RLIMIT_AS`; never above the hard one."""
    for name, value in limits.items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (bound, bound))


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise LockError(f"prctl {option}: {os.strerror(ctypes.get_errno())}")


_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 2, 4, 8
_MS_REC, _MS_PRIVATE = 1 << 14, 1 << 18


def private_folders(folders: dict[str, int], uid: int, log: list[str]) -> bool:
    """Put an empty file system of bounded size (bytes) over each folder, for this process only.

    Nothing written there is seen by others, and all of it is gone with the last process. It
    takes root, or a kernel that lets anybody be root among their own; without either the
    parent has to look after these folders.
    """
    root = os.geteuid() == 0
    owner = uid or os.geteuid()
    done = _libc.unshare(_CLONE_NEWNS) == 0 if root else _own_users()
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
    done = done and _mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE)
    for path, size in folders.items():
        options = f"size={size},nr_inodes={max(size >> 12, 64)},mode=700"
        options += f",uid={owner},gid={owner if root else os.getegid()}"
        done = done and _mount(b"tmpfs", path.encode(), options.encode(), flags)
    if not done:
        log.append(f"folders are not private: {os.strerror(ctypes.get_errno())}")
    if not root:
        _keep_capabilities(0)
    return done


def _own_users() -> bool:
    """Become the only user of a namespace of our own, under the same number."""
    uid, gid = os.geteuid(), os.getegid()
    if _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS) != 0:
        return False
    try:
        for name, line in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    except OSError as error:
        ctypes.set_errno(error.errno or 0)
        return False
    return True


def _mount(kind: bytes, path: bytes, options: bytes | None, flags: int) -> bool:
    return bool(_libc.mount(kind, path, kind, ctypes.c_ulong(flags), options) == 0)


_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION_3 = 0x20080522


def _become(uid: int, keep_reading: bool, log: list[str]) -> None:
    """Leave root for a user of our own, whom RLIMIT_NPROC binds and who may signal nobody.

    `keep_reading` keeps the one capability that reads a standard library or a corpus that
    lies in a private folder; Landlock says which files those are.
    """
    try:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        if keep_reading:
            _prctl(PR_SET_KEEPCAPS, 1)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        log.append(f"root was kept: {error.strerror}")
        return
    if keep_reading:
        _keep_capabilities(1 << _CAP_DAC_READ_SEARCH)


def _keep_capabilities(mask: int) -> None:
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    data = struct.pack("=6I", mask, mask, 0, 0, 0, 0)
    if _libc.capset(header, data) != 0:
        raise LockError(f"capset: {os.strerror(ctypes.get_errno())}")


# --- Landlock -------------------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_RULESET_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ABI_1 = (1 << 13) - 1
_MAKE_SPECIAL = (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 12)
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_TCP = (1 << 0) | (1 << 1)  # bind and connect
_SCOPES = (1 << 0) | (1 << 1)  # abstract unix sockets and signals


def landlock_abi() -> int:
    """The kernel's Landlock version; 0 when it has none."""
    version = _libc.syscall(_CREATE_RULESET, None, 0, _RULESET_VERSION)
    return max(int(version), 0)


def _landlock(reads: list[str], writes: list[str], log: list[str]) -> bool:
    """Restrict this process; whether signals are kept inside."""
    abi = landlock_abi()
    if abi == 0:
        log.append("the kernel has no Landlock")
        return False
    handled = _ABI_1
    handled |= _REFER if abi >= 2 else 0
    handled |= _TRUNCATE if abi >= 3 else 0
    handled |= _IOCTL_DEV if abi >= 5 else 0
    net, scoped = (_TCP if abi >= 4 else 0), (_SCOPES if abi >= 6 else 0)
    ruleset = _ruleset(handled, net, scoped)
    if ruleset < 0 and ctypes.get_errno() == errno.EINVAL and scoped:
        # RHEL 9 kernels claim ABI 6 without the scopes.
        scoped = 0
        ruleset = _ruleset(handled, net, scoped)
    if ruleset < 0:
        raise LockError(f"Landlock ruleset: {os.strerror(ctypes.get_errno())}")
    for path in reads:
        _allow(ruleset, path, handled & (_READ_FILE | _READ_DIR))
    for path in writes:
        _allow(ruleset, path, handled & ~_EXECUTE & ~_MAKE_SPECIAL)
    if _libc.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
        raise LockError(f"Landlock: {os.strerror(ctypes.get_errno())}")
    os.close(ruleset)
    return bool(scoped)


def _ruleset(fs: int, net: int, scoped: int) -> int:
    # The struct grew with the ABI; a kernel accepts a longer one only if the rest is zero.
    attributes = struct.pack("=QQQ", fs, net, scoped)
    size = 24 if scoped else 16 if net else 8
    return int(_libc.syscall(_CREATE_RULESET, attributes, size, 0))


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what does not exist needs no permission
    try:
        if not os.path.isdir(path):
            access &= _ON_FILES
        rule = struct.pack("=Qi", access, descriptor)
        if _libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0) != 0:
            raise LockError(f"Landlock rule for {path}: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(descriptor)


# --- seccomp --------------------------------------------------------------------------

#: System call numbers: name -> (x86-64, aarch64); None where an architecture lacks it.
#: A name outside this table cannot be allowed.
SYSCALLS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "open": (2, None),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "ioctl": (16, 29),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "readv": (19, 65),
    "writev": (20, 66),
    "access": (21, None),
    "pipe": (22, None),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "dup": (32, 23),
    "dup2": (33, None),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "sendfile": (40, 71),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "fork": (57, None),
    "vfork": (58, None),
    "exit": (60, 93),
    "wait4": (61, 260),
    "kill": (62, 129),
    "uname": (63, 160),
    "fcntl": (72, 25),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "ftruncate": (77, 46),
    "getcwd": (79, 17),
    "rename": (82, None),
    "mkdir": (83, None),
    "rmdir": (84, None),
    "link": (86, None),
    "unlink": (87, None),
    "readlink": (89, None),
    "umask": (95, 166),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getppid": (110, 173),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "getdents64": (217, 61),
    "set_tid_address": (218, 96),
    "restart_syscall": (219, 128),
    "fadvise64": (221, 223),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "epoll_wait": (232, None),
    "epoll_ctl": (233, 21),
    "waitid": (247, 95),
    "openat": (257, 56),
    "mkdirat": (258, 34),
    "newfstatat": (262, 79),
    "unlinkat": (263, 35),
    "renameat": (264, 38),
    "linkat": (265, 37),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "set_robust_list": (273, 99),
    "epoll_pwait": (281, 22),
    "fallocate": (285, 47),
    "eventfd2": (290, 19),
    "epoll_create1": (291, 20),
    "dup3": (292, 24),
    "pipe2": (293, 59),
    "renameat2": (316, 276),
    "getrandom": (318, 278),
    "membarrier": (324, 283),
    "copy_file_range": (326, 285),
    "statx": (332, 291),
    "rseq": (334, 293),
    "close_range": (436, 436),
    "faccessat2": (439, 439),
}
_CLONE3 = 435  # the same on both

#: What an allowed call may not be given: name -> (argument, test, operand). `any bit` refuses
#: an argument that has one of these bits, `one of` these values, `other than` all but one.
ARGUMENTS: dict[str, tuple[int, str, tuple[int, ...]]] = {
    "clone": (0, "any bit", (0x7E020080,)),  # CLONE_NEW*: no namespace of one's own
    "fcntl": (
        1,
        "one of",
        (8, 10, 15),
    ),  # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals by the back door
    "socketpair": (0, "other than", (1,)),  # AF_UNIX
}

#: platform.machine() -> (AUDIT_ARCH constant, column of SYSCALLS)
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_FIRST_ARGUMENT = 16  # of the data a filter sees; each has eight bytes, the low half first
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_ERRNO = 0x00050000
_X32 = 0x40000000


def filter_program(allowed: list[str], machine: str) -> list[tuple[int, int, int, int]]:
    """The BPF program of an allow-list: (code, jump if true, jump if false, operand)."""
    architecture, column = ARCHITECTURES[machine]
    numbers = [number for name in allowed if (number := SYSCALLS[name][column]) is not None]
    program = [
        (_LOAD, 0, 0, 4),  # the architecture: 32-bit entry points have other numbers
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the number
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    # glibc falls back to clone, whose absence or presence decides, when it sees ENOSYS.
    program += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    for name in allowed:
        number = SYSCALLS[name][column]
        if number is not None and name in ARGUMENTS:
            check = _check(*ARGUMENTS[name])
            program += [(_EQUAL, 0, len(check), number), *check]
    for position, number in enumerate(numbers):
        program.append((_EQUAL, len(numbers) - position, 0, number))
    # A refusal is an error the student can read (PermissionError), not a death.
    program += [(_RETURN, 0, 0, _ERRNO | errno.EPERM), (_RETURN, 0, 0, _ALLOW)]
    return program


def _check(argument: int, test: str, operands: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    """Refuse or go on with the number, for one argument."""
    refuse = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    code = _ANY_BIT if test == "any bit" else _EQUAL
    lines = [(_LOAD, 0, 0, _FIRST_ARGUMENT + 8 * argument)]
    for operand in operands:
        if test == "other than":
            lines += [(code, 1, 0, operand), refuse]
        else:
            lines += [(code, 0, 1, operand), refuse]
    return [*lines, (_LOAD, 0, 0, 0)]


def _seccomp(allowed: list[str], log: list[str]) -> None:
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        log.append(f"there is no system call table for {machine}")
        return
    program = filter_program(allowed, machine)
    code = b"".join(struct.pack("=HBBI", *line) for line in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HxxxxxxQ", len(program), ctypes.addressof(buffer))
    if _libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(2), header, 0, 0) != 0:
        log.append(f"seccomp: {os.strerror(ctypes.get_errno())}")


def make_undumpable() -> None:
    """Keep other processes of this user out of our memory and /proc entries."""
    with contextlib.suppress(LockError):
        _prctl(PR_SET_DUMPABLE, 0)


def die_with_parent() -> None:
    """End this process when the thread that started it ends."""
    with contextlib.suppress(LockError):
        _prctl(PR_SET_PDEATHSIG, SIGKILL)


def become_subreaper() -> None:
    """Make orphans of our children our own, so that we can see them end."""
    with contextlib.suppress(LockError):
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
