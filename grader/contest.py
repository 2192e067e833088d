"""Trainers and encoders side by side on one text, each round of each in a fresh process."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import Any

from grader import catalog, corpus, proof
from grader.corpus import SPECIAL, Corpus
from grader.errors import GraderFault, UsageError
from grader.model import Call, Contest, Proof, Returned, Runner, Submission
from grader.pairs import spread, why
from grader.peers import PEERS, Merges, Peer, documents
from grader.sandbox.host import Host

PROOF_BYTES = 64 << 20  # a larger text takes longer to replay on than anybody waits
ENCODED_BYTES = 20 << 20  # of the text, for the encoders


@dataclass(frozen=True, slots=True)
class Plan:
    """What a contest is about; seconds are wall-clock time."""

    text: Corpus
    vocab_size: int
    budget_s: float  # a round more is begun within it; one run takes no longer, either
    yours: Submission | None = None  # of the capstone
    told: Callable[[str], None] = lambda phase: None
    most_rounds: int = 9


class NoRun(Exception):
    """A run gave no answer; the message says why."""


def chosen(names: Sequence[str]) -> list[Peer]:
    """The peers of these names. Raises `UsageError` for one that is not known."""
    unknown = next((name for name in names if name not in PEERS), None)
    if unknown is not None:
        near = catalog.nearest(unknown, PEERS)
        offer = f"did you mean {near!r}?" if near else f"known are {', '.join(PEERS)}."
        raise UsageError(f"--against {unknown}: there is no such trainer or encoder; {offer}")
    return [PEERS[name] for name in dict.fromkeys(names)]


def training(peers: Sequence[Peer], plan: Plan) -> Contest:
    """The reference, yours where there is one, and the peers that train."""
    with _as_file(plan.text, None) as path:
        runs: dict[str, Callable[[], dict[str, Any]]] = {
            "reference": partial(_train, PEERS["reference"], path, plan)
        }
        if plan.yours is not None:
            runs["yours"] = partial(_yours, path, plan)
        runs |= {
            peer.name: partial(_train, peer, path, plan)
            for peer in peers
            if peer.train is not None and peer.name != "reference"
        }
        answers, notes, rounds = _rounds(runs, plan)
        learned = {name: _merges(found[0]) for name, found in answers.items()}
        runners = [_runner(name, answers, notes) for name in runs]
        if plan.text.size <= PROOF_BYTES:
            plan.told("replaying the merges")
            proofs = _proofs(_words(path), learned)
            runners = [replace(runner, proof=proofs.get(runner.name)) for runner in runners]
        runners = [_compared(runner, learned) for runner in runners]
    return _contest("train", plan, plan.text.size, rounds, runners)


def encoding(peers: Sequence[Peer], plan: Plan) -> Contest:
    """The peers that encode, with the merges of the reference on the same text."""
    plan.told("training the merges to encode with")
    with _as_file(plan.text, None) as path:
        merges = _train(PEERS["reference"], path, plan)["merges"]
    with _as_file(plan.text, ENCODED_BYTES) as path:
        runs: dict[str, Callable[[], dict[str, Any]]] = {
            peer.name: partial(_encode, peer, path, merges, plan)
            for peer in peers
            if peer.encode is not None
        }
        answers, notes, rounds = _rounds(runs, plan)
        size = os.path.getsize(path)
    first = next(iter(answers.values()), [{}])[0]
    runners = []
    for name in runs:
        runner = _runner(name, answers, notes)
        if name in answers:
            answer = answers[name][0]
            same = answer["tokens"] if answer["digest"] == first["digest"] else None
            runner = replace(runner, equal=same, of=answer["tokens"])
        runners.append(runner)
    return _contest("encode", plan, size, rounds, runners)


def _contest(job: str, plan: Plan, size: int, rounds: int, runners: Sequence[Runner]) -> Contest:
    how = {"train": "to a vocab of", "encode": "with a vocab of"}[job]
    workload = f"{corpus.megabytes(size)}, {how} {plan.vocab_size:,}"
    return Contest(job, plan.text.name, workload, size, plan.vocab_size, rounds, tuple(runners))


Answers = dict[str, list[dict[str, Any]]]


def _rounds(
    runs: Mapping[str, Callable[[], dict[str, Any]]], plan: Plan
) -> tuple[Answers, dict[str, str], int]:
    """Run all in turn, again and again while the time holds another round."""
    deadline, took_s, rounds = time.monotonic() + plan.budget_s, 0.0, 0
    answers: Answers = {}
    notes: dict[str, str] = {}
    while rounds < plan.most_rounds and (not rounds or time.monotonic() + took_s <= deadline):
        begin = time.monotonic()
        order = [name for name in runs if name not in notes]
        for name in order[:: -1 if rounds % 2 else 1]:
            plan.told(f"{name}, round {rounds + 1}")
            try:
                answers.setdefault(name, []).append(runs[name]())
            except NoRun as reason:
                answers.pop(name)
                notes[name] = str(reason)
        took_s, rounds = time.monotonic() - begin, rounds + 1
        if not answers:
            break
    return answers, notes, rounds


def _runner(name: str, answers: Answers, notes: Mapping[str, str]) -> Runner:
    if name not in answers:
        return Runner(name, _version(name), note=notes.get(name))
    found = answers[name]
    first = answers[next(iter(answers))]
    ratios = [a["cpu_s"] / max(b["cpu_s"], 1e-9) for a, b in zip(found, first, strict=False)]
    return Runner(
        name=name,
        version=_version(name),
        cpu_s=median(answer["cpu_s"] for answer in found),
        wall_s=median(answer["wall_s"] for answer in found),
        peak_mib=max(answer["peak_mib"] for answer in found),
        ratio=median(ratios),
        spread=None if found is first else spread(ratios),
    )


def _version(name: str) -> str | None:
    if name in ("reference", "record", "yours"):
        return None
    with suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    return None


# --- equality -------------------------------------------------------------------------


def _merges(answer: Mapping[str, Any]) -> Merges | None:
    """The merges of an answer; None where they cannot be told from its tokens."""
    if "merges" in answer:
        return [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in answer["merges"]]
    return proof.recovered([bytes.fromhex(token) for token in answer["tokens"]])


def _compared(runner: Runner, learned: Mapping[str, Merges | None]) -> Runner:
    """How far the merges are those of the reference."""
    ours, theirs = learned.get("reference"), learned.get(runner.name)
    if ours is None or theirs is None:
        return runner
    pairs = zip(ours, theirs, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return replace(runner, equal=same, of=max(len(ours), len(theirs)))


def _proofs(words: Mapping[str, int], learned: Mapping[str, Merges | None]) -> dict[str, Proof]:
    """What a replay says of each; the same merges are replayed once."""
    known: dict[tuple[tuple[bytes, bytes], ...], Proof] = {}
    proofs = {}
    for name, merges in learned.items():
        if merges is not None:
            key = tuple(merges)
            if key not in known:
                known[key] = proof.examine(words, merges)
            proofs[name] = known[key]
    return proofs


def _words(path: str) -> Counter[str]:
    words: Counter[str] = Counter()
    for text in documents(path):
        words.update(corpus.word_table(text))
    return words


# --- one run --------------------------------------------------------------------------


def _train(peer: Peer, path: str, plan: Plan) -> dict[str, Any]:
    request = {"job": "train", "corpus": path, "vocab_size": plan.vocab_size}
    return _fresh(peer, request, plan.budget_s)


def _encode(peer: Peer, path: str, merges: list[Any], plan: Plan) -> dict[str, Any]:
    return _fresh(peer, {"job": "encode", "corpus": path, "merges": merges}, plan.budget_s)


def _fresh(peer: Peer, request: Mapping[str, Any], limit_s: float) -> dict[str, Any]:
    """The answer of a new process. Raises `NoRun`, or `GraderFault` for the reference."""
    if not peer.is_there():
        raise NoRun(f"not installed; {peer.remedy}" if peer.remedy else "not there")
    with tempfile.TemporaryDirectory(prefix="kata-bench-") as name:
        folder = Path(name)
        asked, answer, said = folder / "request.json", folder / "answer.json", folder / "said.txt"
        asked.write_text(json.dumps({**request, "peer": peer.name}), encoding="ascii")
        command = [sys.executable, "-P", "-m", "grader.peerchild", str(asked), str(answer)]
        with said.open("wb") as words:
            code = _run(command, words, limit_s)
        if code == 0 and answer.is_file():
            found: dict[str, Any] = json.loads(answer.read_text(encoding="ascii"))
            return found
        lines = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        reason = f"failed: {lines[-1]}" if lines else f"failed with exit code {code}"
    if code is None:
        reason = f"stopped after {limit_s:g} s"
    elif peer.name == "reference":
        raise GraderFault(f"The reference {reason}.")
    raise NoRun(reason)


def _run(command: Sequence[str], words: Any, limit_s: float) -> int | None:
    """The exit code; None when the time was up. Nothing is left running."""
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(_import_path())},
        start_new_session=True,
    )
    try:
        return child.wait(timeout=limit_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _import_path() -> Iterator[str]:
    """Where a child finds what this process has found, from whatever folder it was started."""
    yield str(catalog.places().reference.parent)
    if inherited := os.environ.get("PYTHONPATH"):
        yield inherited


def _yours(path: str, plan: Plan) -> dict[str, Any]:
    """A student's trainer, in the sandbox; CPU of the child from its start."""
    kata, source = catalog.find("train_byte_bpe"), plan.yours
    assert source is not None
    limits = replace(kata.limits, call_s=plan.budget_s, kata_s=plan.budget_s)
    with Host(kata, source, hash_seed=1, limits=limits, reads=[Path(path)]) as host:
        begin = time.monotonic()
        result = host.call(Call(kata.name, (Path(path), plan.vocab_size, [SPECIAL])))
        wall_s = time.monotonic() - begin
        if not isinstance(result, Returned):
            raise NoRun(why(result))
        if reason := host.clock_problem():
            raise NoRun(f"not timed: {reason}")
        _, merges = result.value
        return {
            "cpu_s": host.cpu_seconds(),
            "peak_mib": host.peak_mib(),
            "wall_s": wall_s,
            "merges": [[left.hex(), right.hex()] for left, right in merges],
        }


@contextmanager
def _as_file(text: Corpus, limit: int | None) -> Iterator[str]:
    """The corpus, or its first bytes, as a file; whole documents where it is cut."""
    if text.path is not None and (limit is None or text.size <= limit):
        yield str(text.path.resolve())
        return
    data = corpus.read(text, limit)
    if limit is not None and len(data) == limit:
        data = data[: data.rfind(SPECIAL.encode()) + 1 or None].removesuffix(b"<")
    with tempfile.TemporaryDirectory(prefix="kata-bench-") as name:
        path = Path(name) / f"{hashlib.sha256(data).hexdigest()[:12]}.txt"
        path.write_bytes(data)
        yield str(path.resolve())
