"""`kata doctor`: what the sandbox of this machine keeps a submission from, found by trying."""

from __future__ import annotations

import platform
from typing import TextIO

from grader import catalog, submission
from grader.errors import EXIT_BROKEN, EXIT_PASSED
from grader.model import Isolation
from grader.render.console import console, show
from grader.render.doctor import MachineView
from grader.sandbox import linux, policy
from grader.sandbox.host import Host

#: The floors of CI grading, and a kata of each policy to try it with.
FLOORS = {"pure": "full", "corpus": "partial"}


def examine(stdout: TextIO, width: int | None) -> int:
    """Show this machine's state; 3 when a floor is not met."""
    found = [measured(name) for name in FLOORS]
    problems = [reason for each in found if (reason := policy.below(each, FLOORS[each.policy]))]
    show(console(stdout, width=width), MachineView(facts(), found, policy.CAPABILITIES, problems))
    return EXIT_BROKEN if problems else EXIT_PASSED


def measured(name: str) -> Isolation:
    """The isolation of a policy, from a child that tried."""
    kata = next(kata for kata in catalog.all_katas() if kata.policy == name)
    with Host(kata, submission.load(kata, "reference")) as host:
        host.load()
        assert host.isolation is not None
        return host.isolation


def facts() -> dict[str, str]:
    """What the isolation depends on."""
    abi = linux.landlock_abi() if policy.supported() else 0
    machine = platform.machine()
    table = "table for it" if machine in linux.ARCHITECTURES else "no table for it"
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": f"{machine}, {table}",
        "Landlock": f"version {abi}" if abi else "none",
        "Python": platform.python_version(),
    }
