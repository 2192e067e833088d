"""The process that judges for a batch: it imports everything once and forks for each kata.

So each kata of each submission is judged in a process of its own, in the same state as
every other, and what happens in one stays there. Requests and replies are JSON, a line
each, from and to a `Pool` of ours; nothing here talks to a submission but `judge`.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import select
import shutil
import signal
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

#: Seconds beyond a kata's own limit: for starting, shrinking, diagnosing and timing.
_SLACK_S = 90.0
_READ = 1 << 16


def main() -> None:
    """Answer requests until stdin ends."""
    channel = os.dup(1)
    os.dup2(2, 1)  # what anything prints here is talk, never an answer
    folder = tempfile.mkdtemp(prefix="kata-worker-")
    os.chmod(folder, 0o711)  # a child of another user passes through to its own folder
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    # Hypothesis keeps what it computes in a folder of the cwd, which may be a fork.
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(folder, "hypothesis")
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _prepare()
        buffer = b""
        while (line := _line(buffer)) is not None:
            request, buffer = line
            reply = _in_a_fork(json.loads(request))
            if reply is None:
                return
            _put(channel, reply)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prepare() -> None:
    """Import what judging takes, so that a fork has it."""
    import hypothesis  # noqa: F401
    import pytest  # noqa: F401

    from grader import bench, catalog, diagnose, judge, plugin, similar  # noqa: F401
    from grader.render import json as report_json  # noqa: F401
    from grader.sandbox import linux, policy

    plugin.prepare_hypothesis()
    plugin.prepare_suites()
    catalog.all_katas()
    if policy.supported():
        linux.make_undumpable()


def _line(buffer: bytes) -> tuple[bytes, bytes] | None:
    while b"\n" not in buffer:
        piece = os.read(0, _READ)
        if not piece:
            return None
        buffer += piece
    line, _, rest = buffer.partition(b"\n")
    return line, rest


def _put(descriptor: int, data: bytes) -> None:
    view = memoryview(data + b"\n")
    while view:
        view = view[os.write(descriptor, view) :]


def _in_a_fork(request: dict[str, Any]) -> bytes | None:
    """The answer of a fork, or one that says how it ended; None when our parent is gone."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        _fork(request, theirs)
    os.close(theirs)
    try:
        answer, why = _await(ours, time.monotonic() + float(request["seconds"]) + _SLACK_S)
    finally:
        os.close(ours)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if why == "orphaned":
        return None
    try:
        json.loads(answer)
        return answer
    except ValueError:
        said = why or f"exit status {status}"
        return json.dumps({"broken": f"The judging process ended early ({said})."}).encode()


def _await(descriptor: int, deadline: float) -> tuple[bytes, str | None]:
    """What the fork writes until it closes its end; or why it was not waited for."""
    data = bytearray()
    watched = [descriptor, 0]
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return b"", "no answer within its time"
        ready, _, _ = select.select(watched, [], [], left)
        if descriptor in ready:
            piece = os.read(descriptor, _READ)
            if not piece:
                return bytes(data), None
            data += piece
        elif 0 in ready:
            return b"", "orphaned"  # a request comes only after an answer: this is the end


def _fork(request: dict[str, Any], descriptor: int) -> None:
    """Judge, answer and end; never returns."""
    try:
        from grader.sandbox import linux, policy

        if policy.supported():
            linux.die_with_parent()
        data = json.dumps(answer(request)).encode()
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Judge one file: the report as data, or `broken` with our own fault."""
    from grader import catalog, judge, similar
    from grader.errors import KataError
    from grader.model import Submission
    from grader.render.json import report_dict

    kata = catalog.find(request["kata"])
    source = base64.b64decode(request["source"])
    found = Submission(request["path"], source, hashlib.sha256(source).hexdigest())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = judge.Options(
            seed=request["seed"],
            timing=request["timing"],
            stretch=False,  # they never count, and a slow one may meet either of two limits
            require_isolation=request["require_isolation"],
            extra=_staged(request["extra"], kata.name, Path(folder)),
        )
        try:
            report = judge.judge(kata, found, options)
        except KataError as error:
            return {"broken": str(error)}
        except Exception:
            return {"broken": traceback.format_exc()}
    return {
        "report": report_dict(report),
        "similar": report.passed and similar.to_reference(kata, source),
        "statement_changed": similar.statement_changed(kata, source),
    }


def _staged(texts: list[list[str]], kata: str, folder: Path) -> tuple[Path, ...]:
    """Private tests, each as the file name the plugin knows its kata by."""
    paths = []
    for number, (name, text) in enumerate(texts):
        path = folder / f"{number}-{name}" / "hidden" / f"test_{kata}.py"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return tuple(paths)
