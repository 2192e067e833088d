"""Train: count, pack, merge."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reference.record.count import Progress, count_pretokens
from reference.record.merge import learn_merges
from reference.record.pack import pack


def train(
    path: str,
    vocab_size: int,
    special_tokens: list[str],
    *,
    processes: int | None = None,
    progress: Progress | None = None,
) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    """Train a byte-level BPE tokenizer on a text file; return its vocab and its merges.

    The result is that of `reference.train_byte_bpe`, whose statement says what it is, for any
    number of processes; by default as many as the file is worth, at most eight. `progress` is
    called with `"count"`, the bytes done and all bytes, then with `"merge"`, the merges done and
    those wanted; many times a second, so it is for the caller to say less often what it says.

    Raises `OSError` if the file cannot be read or a process cannot be started, and
    `RuntimeError` if one dies.
    """
    merges: list[tuple[bytes, bytes]] = []
    room = vocab_size - 256 - len(special_tokens)
    if room > 0:
        with no_cycle_search():
            pretokens = count_pretokens(path, special_tokens, processes, progress)
            floor = likely_floor(pretokens.total(), room)
            merges = learn_merges(pack(pretokens), room, floor, reporter(progress, room))
    tokens = [bytes([value]) for value in range(256)]
    tokens += [special.encode() for special in special_tokens]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens)), merges


def likely_floor(total: int, room: int) -> int:
    """A power of 4 that the count of the last merge is not likely to be below.

    A floor too high costs a second table, one too low some memory and time.
    """
    floor = 1
    while 4 * floor <= total / (16 * room):
        floor *= 4
    return floor


def reporter(progress: Progress | None, room: int) -> Callable[[int], None]:
    """What is called after each merge."""

    def report(done: int) -> None:
        if progress:
            progress("merge", done, room)

    return report


@contextmanager
def no_cycle_search() -> Iterator[None]:
    """Without the search for garbage in cycles: there is none, among millions of objects."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
