"""What a locked process can still do, found by trying. The child runs it before it reads code.

An attempt that cannot be made on a system is left out of the answer; the parent counts that as
possible. Standard library only; the child loads this file by itself.
"""

from __future__ import annotations

import _socket
import contextlib
import ctypes
import os
import sys
from collections.abc import Callable

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_PARENT = os.getppid()  # before the lock, which may hide it
_UNIX = 1  # AF_UNIX, which Python does not name on Windows
_TERMINATE, _READ_MEMORY = 0x0001, 0x0010  # rights of Windows over another process
_SUSPENDED = 0x0004


def canary(planted: str, memory: int, pure: bool) -> dict[str, bool]:
    """What this process can do, by the names of `policy.CAPABILITIES`.

    `planted` is a file it must not see, `memory` its limit in bytes.
    """
    beside = os.path.join(os.path.dirname(planted), "canary")
    attempts: dict[str, Callable[[], object]] = {
        "reads_a_planted_file": lambda: os.close(os.open(planted, os.O_RDONLY)),
        "stats_a_planted_file": lambda: os.stat(planted),
        "writes_outside_its_folder": lambda: _write(beside),
        "opens_a_tcp_socket": lambda: _open_socket(_socket.AF_INET, _socket.SOCK_STREAM),
        "opens_a_udp_socket": lambda: _open_socket(_socket.AF_INET, _socket.SOCK_DGRAM),
        "opens_a_unix_socket": lambda: _open_socket(_UNIX, _socket.SOCK_STREAM),
        "signals_the_parent": _signal,
        "reads_the_parents_environment": _read_environment,
        # Zeroed pages are only mapped when touched, so this costs nothing if it succeeds.
        "allocates_past_the_limit": lambda: bytes(memory),
    }
    if pure:
        attempts["starts_a_process"] = _start
    found = {name: _can(attempt) for name, attempt in attempts.items()}
    return {name: could for name, could in found.items() if could is not None}


def _can(attempt: Callable[[], object]) -> bool | None:
    """Whether it can be done; None where it could not be tried."""
    try:
        attempt()
    except (OSError, MemoryError):
        return False
    except Exception:  # no such function here
        return None
    return True


def _write(path: str) -> None:
    os.close(os.open(path, _NEW, 0o600))
    with contextlib.suppress(OSError):
        os.unlink(path)  # another child of the same folders tries again


def _open_socket(family: int, kind: int) -> None:
    _socket.socket(family, kind).close()


def _signal() -> None:
    if sys.platform == "win32":
        _open_process(_TERMINATE)  # signal 0 would be Ctrl-C there
    else:
        os.kill(_PARENT, 0)


def _read_environment() -> None:
    if sys.platform == "win32":
        _open_process(_READ_MEMORY)
    elif sys.platform == "darwin":
        _ask_for_arguments()
    else:
        os.close(os.open(f"/proc/{_PARENT}/environ", os.O_RDONLY))


def _open_process(right: int) -> None:
    import _winapi

    _winapi.CloseHandle(_winapi.OpenProcess(right, False, _PARENT))  # type: ignore[attr-defined,unused-ignore]


def _ask_for_arguments() -> None:
    """Arguments and environment of a process, as macOS tells them (KERN_PROCARGS2)."""
    name = (ctypes.c_int * 3)(1, 49, _PARENT)
    size = ctypes.c_size_t(0)
    if ctypes.CDLL(None).sysctl(name, 3, None, ctypes.byref(size), None, 0) != 0:
        raise PermissionError


def _start() -> None:
    if sys.platform == "win32":
        import subprocess

        subprocess.Popen([sys.executable], creationflags=_SUSPENDED).kill()
    else:
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        with contextlib.suppress(OSError):
            os.waitpid(pid, 0)
