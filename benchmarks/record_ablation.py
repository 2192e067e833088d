"""What each idea of the record gains: CPU time with and without it, side by side.

    python benchmarks/record_ablation.py CORPUS [--vocab-size 32000] [--repeats 3]

Two tables: counting the corpus, and merging its pre-tokens. In the first rows of each, ideas
are added one by one, from the design most often published to the record; in the others one idea
is taken out of the record. Each row is the median of the repeats, which take turns, and every
result is compared with the record's. One process; the file is split at `<|endoftext|>`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import regex
import steps

from reference import train_byte_bpe as readable
from reference.record import count, merge, pack
from reference.record.train import likely_floor, no_cycle_search

SPECIALS = ["<|endoftext|>"]
Table = Counter[bytes]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("corpus")
    arguments.add_argument("--vocab-size", type=int, default=32_000)
    arguments.add_argument("--repeats", type=int, default=3)
    given = arguments.parse_args()
    counted = compare(
        "counting",
        {
            "regex on text, whole file": lambda: whole_file(given.corpus),
            "regex on text, block by block": lambda: plain_blocks(given.corpus),
            "re on bytes, stretches apart (the record)": lambda: record_count(given.corpus),
        },
        given.repeats,
    )
    room = given.vocab_size - 257
    print(f"\n{len(counted):,} distinct pre-tokens, {room:,} merges")
    compare("merging", merging(counted, room), given.repeats)


def merging(table: Table, room: int) -> dict[str, Callable[[], Any]]:
    """The rows about merging."""
    text = {pretoken.decode(): times for pretoken, times in table.items()}
    floor = likely_floor(table.total(), room)

    def record(floor: int = floor) -> Any:
        return merge.learn_merges(pack.pack(table.copy()), room, floor, lambda done: None)

    return {
        "lazy heap (lists, every change pushed)": lambda: steps.lazy_heap(table.copy(), room),
        "+ no push when a count falls": lambda: steps.fewer_pushes(table.copy(), room),
        "+ neighbours only": lambda: steps.neighbours(table.copy(), room),
        "the readable reference": lambda: readable.learn_merges(Counter(text), room, quiet),
        "the record": lambda: without_cycles(record),
        "- several words in a row": lambda: changed(pack, "WORDS_PER_ROW", 1, record),
        "- similar words in a row": lambda: changed(pack, "sorted_words", shuffled, record),
        "- a floor": lambda: without_cycles(lambda: record(1)),
        "- gc switched off": record,
    }


def compare(title: str, rows: dict[str, Callable[[], Any]], repeats: int) -> Any:
    """Print the table; return the result, which is the same in all rows."""
    costs: dict[str, list[float]] = {name: [] for name in rows}
    result = None
    for _ in range(repeats):
        for name, run in rows.items():
            gc.collect()
            start = time.process_time()
            found = run()
            costs[name].append(time.process_time() - start)
            result = result or found
            if found != result:
                sys.exit(f"{name}: another result")
    first = median(next(iter(costs.values())))
    print(f"\n{title:44} {'CPU s':>7} {'over the first':>15}")
    for name, seconds in costs.items():
        print(f"{name:44} {median(seconds):7.2f} {first / median(seconds):14.2f}×", flush=True)
    return result


def whole_file(path: str) -> Table:
    counts: Counter[str] = Counter()
    for document in regex.split(r"<\|endoftext\|>", Path(path).read_text("utf-8", "ignore")):
        counts.update(readable.PRETOKEN.findall(document))
    return as_bytes(counts)


def plain_blocks(path: str) -> Table:
    counts: Counter[str] = Counter()
    for block in readable.read_blocks(path, SPECIALS, quiet):
        counts.update(readable.count_block(block, SPECIALS))
    return as_bytes(counts)


def record_count(path: str) -> Table:
    return count.count_pretokens(path, SPECIALS, 1, None)


def as_bytes(counts: Counter[str]) -> Table:
    return Counter({pretoken.encode(): times for pretoken, times in counts.items()})


def quiet(message: str) -> None:
    """In place of the reference's progress."""


def without_cycles(run: Callable[[], Any]) -> Any:
    with no_cycle_search():
        return run()


def changed(module: Any, name: str, value: Any, run: Callable[[], Any]) -> Any:
    with no_cycle_search(), instead(module, name, value):
        return run()


@contextmanager
def instead(module: Any, name: str, value: Any) -> Iterator[None]:
    kept = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, kept)


def shuffled(words: list[bytes]) -> list[bytes]:
    Random(1).shuffle(words)
    return words


if __name__ == "__main__":
    main()
