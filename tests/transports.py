"""Choosing how a child is talked to, whatever this system would choose."""

from __future__ import annotations

import pytest

from grader.sandbox import launch
from grader.sandbox.pipes import PipeProcess
from grader.sandbox.process import Process

TRANSPORTS = ("sockets", "pipes")


def use(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every host of this test use that transport."""
    if name == "pipes":
        monkeypatch.setattr(launch, "transport", pipes)


def pipes() -> type[Process]:
    return PipeProcess
