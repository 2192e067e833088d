"""What the commands of `kata corpus` do: call, and put together what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from grader import corpus, fetching, library
from grader.catalog import nearest
from grader.corpus import megabytes
from grader.errors import UsageError
from grader.render.corpora import CorporaView, CorpusLine, StatsView
from grader.render.meter import meter


def listing() -> CorporaView:
    """Every corpus of the registry, and what was added here."""
    lines = [_line(name) for name in library.names()]
    missing = next((line.name for line in lines if not line.here), None)
    steps = (f"kata corpus fetch {missing}",) if missing else ()
    return CorporaView(lines, str(library.folder()), steps)


def fetched(name: str, stderr: TextIO) -> str:
    """Fetch one corpus; a sentence that says what is there now."""
    entry = library.entries().get(name)
    if entry is None:
        known = [name for name, entry in library.entries().items() if entry.archive]
        near = nearest(name, known)
        offer = f"did you mean {near!r}?" if near else f"{', '.join(known)} can be fetched."
        raise UsageError(f"There is no corpus {name!r} to fetch; {offer}")
    with _meter(name, stderr) as told:
        found, here = fetching.fetch(entry, told)
    if here:
        return f"{name} is here already, at {found.path}; `kata corpus verify {name}` checks it."
    checked = (
        "its SHA-256 is the registered one"
        if entry.sha256
        else f"its SHA-256 is not published; {found.sha256} was noted for the next time"
    )
    return f"{name}: {megabytes(found.bytes)} at {found.path}; {checked}."


def added(path: Path, name: str | None, stderr: TextIO) -> str:
    """Make a text known; a sentence that says under which name."""
    with _meter(path.name, stderr) as told:
        found = fetching.add(path, name, told)
    entry = library.entries().get(found.name)
    checked = ", whose text it is" if entry and entry.sha256 else ""
    return f"{found.path} is known as {found.name}{checked}; it was not copied."


def verified(names: tuple[str, ...], stderr: TextIO) -> Iterator[tuple[str, bool]]:
    """For each corpus, all that are here without names, a sentence and whether it holds."""
    for name in names or [line.name for line in listing().lines if line.here]:
        with _meter(name, stderr) as told:
            problem = fetching.verify(name, told)
        yield problem or f"{name} has the SHA-256 it should have.", problem is None


def stats(name: str, stderr: TextIO) -> tuple[StatsView, bool]:
    """The counts of a corpus, and whether none differs from a published one."""
    from grader import corpus_stats

    opened = corpus.open_corpus(name)
    path = fetching.whereabouts(name)
    with meter(opened.name, stderr) as said:
        found = corpus_stats.measure(opened.name, path, said)
    return StatsView(found.name, str(path), found.counts(), found.published), not found.differing()


@contextmanager
def _meter(label: str, stderr: TextIO) -> Iterator[fetching.Told]:
    with meter(label, stderr) as said:

        def told(what: str, done: int, total: int) -> None:
            said(f"{what} {megabytes(done)} of {megabytes(total)}")

        yield told


def _line(name: str) -> CorpusLine:
    entry = library.entries().get(name)
    about, licence = (entry.about, entry.licence) if entry else ("added by you", "")
    if name == library.EMBEDDED:
        assert entry is not None
        return CorpusLine(name, megabytes(entry.room), "in the package", True, about, licence)
    try:
        found = library.holding(name)
    except UsageError as error:
        return CorpusLine(name, "?", str(error), False, about, licence)
    if found:
        return CorpusLine(name, megabytes(found.bytes), str(found.path), True, about, licence)
    assert entry is not None
    assert entry.archive is not None
    size = megabytes(entry.bytes) if entry.bytes else f"< {megabytes(entry.room)}"
    state = f"not here, {megabytes(entry.archive.bytes)} to download"
    return CorpusLine(name, size, state, False, about, licence)
