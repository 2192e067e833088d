"""Count: each process its own part of the file, in a table it hands over once, at the end.

A pool that maps over blocks sends the text there and a table back for every block, and one
process adds them all up. Here nobody waits: a process reads its part itself, and this one,
too, has a part.
"""

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from multiprocessing.connection import Connection

from reference.record.blocks import Part, any_special, cut_parts, read_blocks
from reference.record.split import pieces, resolve

LARGE = 8 << 20  # bytes from which a part is worth a process
MAX_PROCESSES = 8
BATCH = 1 << 14  # entries of a table to send at a time
MANY = 1 << 18  # pieces from which it is worth taking the stretches out

Progress = Callable[[str, int, int], None]  # what is done, how much of it, out of how much


def count_pretokens(
    path: str, special_tokens: list[str], processes: int | None, progress: Progress | None
) -> Counter[bytes]:
    """How often each distinct pre-token, as UTF-8, occurs in the file."""
    if processes is None:
        processes = min(os.cpu_count() or 1, MAX_PROCESSES, os.path.getsize(path) // LARGE)
    parts = cut_parts(path, special_tokens, max(processes, 1))
    with ExitStack() as stack:
        others = [stack.enter_context(counting(path, part, special_tokens)) for part in parts[1:]]
        counts = count_part(path, parts[0], special_tokens, progress, len(parts))
        for other in others:
            receive(other, counts)
    return counts


def count_part(
    path: str,
    part: Part,
    special_tokens: list[str],
    progress: Progress | None = None,
    parts: int = 1,
) -> Counter[bytes]:
    """How often each distinct pre-token occurs in a part of the file."""
    start, end = part
    documents = any_special(special_tokens).split
    counts: Counter[bytes] = Counter()
    resolved: Counter[bytes] = Counter()
    many = MANY
    for block, place in read_blocks(path, part, special_tokens):
        for document in documents(block):
            counts.update(pieces(document))
        if len(counts) > many:
            resolved.update(resolve(counts))
            many = max(MANY, 2 * len(counts))
        if progress:
            progress("count", (place - start) * parts, (end - start) * parts)
    resolved.update(resolve(counts))
    counts.update(resolved)
    return counts


@contextmanager
def counting(path: str, part: Part, special_tokens: list[str]) -> Iterator[Connection]:
    """A process that counts a part; its table can be received. It does not outlive the block."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=send_counts, args=(there, path, part, special_tokens), daemon=True
    )
    process.start()
    there.close()  # so that the death of the process is seen as the end of what it sends
    try:
        yield here
    finally:
        process.terminate()
        process.join()
        here.close()


def send_counts(there: Connection, path: str, part: Part, special_tokens: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of the parent
    items = iter(count_part(path, part, special_tokens).items())
    while batch := dict(islice(items, BATCH)):
        there.send(batch)
    there.send(None)


def receive(other: Connection, counts: Counter[bytes]) -> None:
    """Add the table of another process, a little at a time, so that it is never held twice."""
    try:
        while batch := other.recv():
            counts.update(batch)
    except EOFError:
        raise RuntimeError("a process that counted a part of the file has died") from None
