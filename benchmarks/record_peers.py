"""Trainers and encoders side by side: the usual design, the readable reference, the record, peers.

    python benchmarks/record_peers.py CORPUS [--vocab-size 32000] [--rounds 3] [--without NAME]...

Each run has a process of its own; the rounds take turns. CPU is user and system time of the
process and of those it started, and memory is that of the largest of them, both as the kernel
counts them; the figures are medians. Ratios are to the record's CPU time; wall time means little
on a busy machine. Peers that are not installed are left out (`pip install tokenizers tiktoken
rustbpe`).

The trainers get the file's path. Peers that take texts are given the documents, and hold them.
Their ties are broken by rules of their own, so their merges are not compared; our three must
agree. The encoders encode the last 20 MB of the corpus on one thread with the merges the record
has learned from it, from a cold start, and must agree to the last id.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

SPECIAL = "<|endoftext|>"
PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
ENCODED = 20_000_000
OURS = ("lazy heap", "readable", "record")

Merges = list[tuple[bytes, bytes]]


def main() -> None:
    if sys.argv[1:2] == ["--alone"]:
        alone(*sys.argv[2:])
        return
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("corpus")
    arguments.add_argument("--vocab-size", type=int, default=32_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--without", action="append", default=[], metavar="NAME")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind, sides in (("train", TRAINERS), ("encode", ENCODERS)):
            names = [name for name in sides if installed(name) and name not in given.without]
            table(kind, names, given.corpus, given.vocab_size, given.rounds, Path(folder))


def installed(name: str) -> bool:
    return name in OURS or importlib.util.find_spec(name) is not None


def table(
    kind: str, names: list[str], corpus: str, vocab_size: int, rounds: int, folder: Path
) -> None:
    """Run all sides in turns and print what they took."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for number in range(rounds):
        for name in names if number % 2 == 0 else reversed(names):
            runs[name].append(measure(kind, name, corpus, vocab_size, folder))
    digests = {name: {run["digest"] for run in found} for name, found in runs.items()}
    compared = [name for name in names if kind == "encode" or name in OURS]
    agree = len(set().union(*(digests[name] for name in compared))) == 1
    print(f"\n{kind}, {Path(corpus).name}, {vocab_size:,} ids, medians of {rounds}")
    print(f"{'':12} {'CPU s':>8} {'wall s':>8} {'MB':>7} {'CPU / record':>13}", end="")
    print(f" {'MB/s':>7}" if kind == "encode" else "")
    base = median(run["cpu"] for run in runs["record"])
    for name, found in runs.items():
        cpu, wall, memory = (median(run[key] for run in found) for key in ("cpu", "wall", "mb"))
        print(f"{name:12} {cpu:8.2f} {wall:8.2f} {memory:7.0f} {cpu / base:12.2f}×", end="")
        print(f" {median(run['speed'] for run in found):7.2f}" if kind == "encode" else "")
    print("the results agree" if agree else "THE RESULTS DIFFER", f"({', '.join(compared)})")


def measure(kind: str, name: str, corpus: str, vocab_size: int, folder: Path) -> dict[str, Any]:
    """One run in a process of its own."""
    answer = folder / "answer.json"
    command = [sys.executable, __file__, "--alone", kind, name, corpus, str(vocab_size)]
    start = time.perf_counter()
    environment = {**os.environ, "TOKENIZERS_PARALLELISM": str(kind == "train").lower()}
    child = os.posix_spawn(sys.executable, [*command, str(folder)], environment)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{kind} {name} failed")
    found = json.loads(answer.read_text())
    found.setdefault("cpu", usage.ru_utime + usage.ru_stime)
    found["wall"] = time.perf_counter() - start
    found["mb"] = usage.ru_maxrss / 1024
    return found


def alone(kind: str, name: str, corpus: str, vocab_size: str, folder: str) -> None:
    """What a process of its own does: train or encode, and leave the answer in the folder."""
    saved = Path(folder, "merges.txt")
    if kind == "train":
        merges = TRAINERS[name](corpus, int(vocab_size)) or []
        lines = "\n".join([f"{left.hex()} {right.hex()}" for left, right in merges])
        if name == "record":
            saved.write_text(lines)
        answer: dict[str, Any] = {"digest": digest(lines)}
    else:
        merges = [read_merge(line) for line in saved.read_text().splitlines()]
        text = last_part(corpus)
        encode = ENCODERS[name](merges)
        start = time.process_time()
        ids = encode(text)
        cpu = time.process_time() - start
        answer = {"digest": digest(ids), "cpu": cpu, "speed": len(text.encode()) / 1e6 / cpu}
    Path(folder, "answer.json").write_text(json.dumps(answer))


def digest(result: object) -> str:
    return hashlib.sha256(str(result).encode()).hexdigest()


def read_merge(line: str) -> tuple[bytes, bytes]:
    left, right = line.split()
    return bytes.fromhex(left), bytes.fromhex(right)


def last_part(corpus: str) -> str:
    with open(corpus, "rb") as file:
        file.seek(max(0, os.path.getsize(corpus) - ENCODED))
        return file.read().decode("utf-8", "ignore")


# --- trainers -------------------------------------------------------------------------


def lazy_heap(corpus: str, vocab_size: int) -> Merges:
    import steps

    from reference.train_byte_bpe import Progress, count_pretokens

    counts = count_pretokens(corpus, [SPECIAL], Progress())
    table = Counter({pretoken.encode(): times for pretoken, times in counts.items()})
    del counts
    return steps.lazy_heap(table, vocab_size - 257)


def readable(corpus: str, vocab_size: int) -> Merges:
    from reference.train_byte_bpe import train_byte_bpe

    return train_byte_bpe(corpus, vocab_size, [SPECIAL])[1]


def record(corpus: str, vocab_size: int) -> Merges:
    from reference.record import train

    return train(corpus, vocab_size, [SPECIAL])[1]


def hugging_face(corpus: str, vocab_size: int) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(whole_text(corpus).split(SPECIAL), trainer)


def rustbpe(corpus: str, vocab_size: int) -> None:
    from rustbpe import Tokenizer

    documents = whole_text(corpus).split(SPECIAL)
    Tokenizer().train_from_iterator(documents, vocab_size - 1, pattern=PATTERN)


def whole_text(corpus: str) -> str:
    return Path(corpus).read_bytes().decode("utf-8", "ignore")


# --- encoders -------------------------------------------------------------------------


def vocabulary(merges: Merges) -> dict[int, bytes]:
    tokens = [bytes([value]) for value in range(256)] + [SPECIAL.encode()]
    return dict(enumerate(tokens + [left + right for left, right in merges]))


def record_encoder(merges: Merges) -> Callable[[str], list[int]]:
    from reference.record import Encoder

    return Encoder(vocabulary(merges), merges, [SPECIAL]).encode


def tiktoken_encoder(merges: Merges) -> Callable[[str], list[int]]:
    import tiktoken

    ranks = {token: number for number, token in vocabulary(merges).items() if number != 256}
    encoding = tiktoken.Encoding(
        "trained", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={SPECIAL: 256}
    )
    return lambda text: encoding.encode(text, allowed_special="all")


def hugging_face_encoder(merges: Merges) -> Callable[[str], list[int]]:
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    letters = byte_letters()

    def spelled(token: bytes) -> str:
        return "".join(letters[value] for value in token)

    vocab = {spelled(token): number for number, token in vocabulary(merges).items()}
    del vocab[spelled(SPECIAL.encode())]
    vocab[SPECIAL] = 256
    pairs = [(spelled(left), spelled(right)) for left, right in merges]
    tokenizer = Tokenizer(models.BPE(vocab, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens([AddedToken(SPECIAL, special=True)])
    return lambda text: tokenizer.encode(text).ids


def byte_letters() -> dict[int, str]:
    """GPT-2's letter for each byte: itself if it can be seen, else one after U+00FF."""
    seen = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = count(256)
    return {value: chr(value if value in seen else next(others)) for value in range(256)}


TRAINERS: dict[str, Callable[[str, int], Any]] = {
    "lazy heap": lazy_heap,
    "readable": readable,
    "record": record,
    "tokenizers": hugging_face,
    "rustbpe": rustbpe,
}
ENCODERS: dict[str, Callable[[Merges], Callable[[str], list[int]]]] = {
    "record": record_encoder,
    "tokenizers": hugging_face_encoder,
    "tiktoken": tiktoken_encoder,
}

if __name__ == "__main__":
    main()
