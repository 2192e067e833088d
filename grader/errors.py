"""The error tree: what stops the grader itself, each class with its exit code.

A finding about a student's program is never one of these; it is an `Outcome` in a
report. Messages are one sentence: what, where, what to do.
"""

from __future__ import annotations

EXIT_PASSED = 0
EXIT_NOT_PASSED = 1
EXIT_USAGE = 2
EXIT_BROKEN = 3
EXIT_INTERRUPTED = 130


class KataError(Exception):
    """Base of everything the command line turns into one sentence and an exit code."""

    exit_code = EXIT_BROKEN


class UsageError(KataError):
    """The command was given something that does not exist or does not fit."""

    exit_code = EXIT_USAGE


class UnknownKata(UsageError):
    """No kata has that name."""


class CardError(KataError):
    """A kata's own files are not sound: names the file, the key and the remedy."""


class SandboxError(KataError):
    """The child could not be started or locked: our fault or the machine's."""


class GraderFault(KataError):
    """The grader did something it should not have; never the student's fault."""


class IsolationTooLow(KataError):
    """The sandbox of this machine is below the floor that was asked for."""
