"""`kata trace`: words, a text, a file or the last failure -> its merges one by one."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from grader import byhand, corpus, counterexample, desk, practice, tracer
from grader.errors import EXIT_PASSED, UsageError
from grader.explain import shown
from grader.model import Kata
from grader.render.console import KataConsole, console, show
from grader.render.sentence import Sentence
from grader.render.trace import SpanRow, SpansView, StartView, StepRow, StepView
from grader.tracer import Pair, Round, Symbol, Word

_COUNTED = re.compile(r"(.+):(\d{1,15})", re.DOTALL)
#: How many words and candidates are shown in one step.
_WORDS, _CANDIDATES = 8, 5
_SMALLEST = "The highest count wins; among equals the smallest pair, in Python's order of tuples."
_GREATEST = "The highest count wins; among equals the greatest pair, in Python's order of tuples."
_LOWEST = "The lowest rank wins, wherever in the word it stands."


@dataclass(frozen=True, slots=True)
class Subject:
    """What is traced: a title, the rule, the words at the start, and the rounds."""

    title: str
    rule: str
    words: tuple[Word, ...]
    rounds: Iterator[Round]
    greatest: bool = False
    end: str = "No pair is left."


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `kata trace`, parsed."""

    words: tuple[str, ...] = ()
    text: str | None = None
    file: Path | None = None
    last: str | None = None
    merges: int = 10
    greatest: bool = False
    by_hand: bool = False
    width: int | None = None


def trace(request: Request, stdin: TextIO, stdout: TextIO, here: Path) -> int:
    """Show the merges, or ask for them."""
    found = subject(request, here)
    page = console(stdout, width=request.width)
    show(page, StartView(found.title, found.rule, *_rows(found.words)))
    rounds = islice(found.rounds, request.merges)
    if request.by_hand:
        _by_hand(found, rounds, page, stdin)
        return EXIT_PASSED
    done = 0
    for turn in rounds:
        show(page, StepView(_step(turn, found.greatest)))
        done += 1
    told = found.end
    if done == request.merges:
        more = next(found.rounds, None) is not None
        told = "There is more; --merges N goes on." if more else found.end
    show(page, "\n")
    show(page, Sentence(told))
    return EXIT_PASSED


def subject(request: Request, here: Path) -> Subject:
    """What the command line asks for; raises `UsageError` unless that is one thing."""
    given = (bool(request.words), request.text is not None, request.file, request.last)
    if sum(map(bool, given)) != 1:
        raise UsageError("Give words, or one of --text, --file and --last.")
    if request.last is not None:
        return _last(request.last, here)
    if not request.words:
        return _training(*_text(request), request.greatest)
    table = _table(request.words)
    title = f"{len(table)} {'word' if len(table) == 1 else 'words'}"
    return _training(title, _words(table), request.greatest)


def _table(arguments: Sequence[str]) -> dict[str, int]:
    """Words with their counts; `tea:6` counts six times, and so does a word said six times."""
    table: dict[str, int] = {}
    for argument in arguments:
        found = _COUNTED.fullmatch(argument)
        word, count = (found[1], int(found[2])) if found else (argument, 1)
        if not word or not count:
            raise UsageError(f"{argument!r} is no word with a count; write it like tea:6.")
        table[word] = table.get(word, 0) + count
    return table


def _text(request: Request) -> tuple[str, tuple[Word, ...]]:
    if request.text is not None:
        table: Mapping[str, int] = corpus.word_table(request.text)
        name = "the text"
    else:
        found = corpus.open_corpus(str(request.file))
        table = corpus.word_table(corpus.sample(found))
        cut = found.size > corpus.SAMPLE_BYTES
        name = f"the first {corpus.megabytes(corpus.SAMPLE_BYTES)} of {found.name}"
        name = name if cut else found.name
    if not table:
        raise UsageError("There is no word in it to trace.")
    ordered = dict(sorted(table.items(), key=lambda item: -item[1]))
    return f"{name}, {len(table):,} distinct pre-tokens", _words(ordered)


def _words(table: Mapping[str, int]) -> tuple[Word, ...]:
    return tuple(Word(tuple(word), count) for word, count in table.items())


def _training(title: str, words: tuple[Word, ...], greatest: bool) -> Subject:
    rounds = tracer.training(words, sys.maxsize, greatest=greatest)
    return Subject(title, _GREATEST if greatest else _SMALLEST, words, rounds, greatest)


def _last(name: str, here: Path) -> Subject:
    """The input of a kata's last counterexample."""
    kata, home = desk.named(name), practice.home_of(here)
    args = counterexample.recall(home, kata).args
    title = f"{kata.name}, the input of the last counterexample"
    make = _SUBJECTS.get(kata.name)
    if make is None:
        raise UsageError(f"{kata.name} has no merges to trace; `kata debug {kata.name}` runs it.")
    return make(title, kata, args)


def _of_encoding(title: str, kata: Kata, args: Sequence[Any]) -> Subject:
    word, merges = args
    rounds = tracer.encoding(word, merges)
    end = "No pair of neighbours is a merge."
    return Subject(title, _LOWEST, (Word(tuple(word)),), rounds, end=end)


def _of_training(title: str, kata: Kata, args: Sequence[Any]) -> Subject:
    table, limit = args
    words = _words(table)
    rounds = tracer.training(words, limit)
    return Subject(title, _SMALLEST, words, rounds, end=f"That is all with {limit} merges asked.")


def _of_bytes(title: str, kata: Kata, args: Sequence[Any]) -> Subject:
    data, size, specials = args
    table: dict[tuple[bytes, ...], int] = {}
    text = data.decode("utf-8", "ignore")
    literal = "|".join(map(re.escape, sorted(specials, key=len, reverse=True)))
    for part in re.split(literal, text) if literal else [text]:
        for word, count in corpus.word_table(part).items():
            key = tuple(bytes([byte]) for byte in word.encode())
            table[key] = table.get(key, 0) + count
    words = tuple(Word(word, count) for word, count in table.items())
    limit = max(size - 256 - len(specials), 0)
    rounds = tracer.training(words, limit, greatest=True)
    end = f"That is all with room for {limit} merges."
    return Subject(title, _GREATEST, words, rounds, True, end)


def _of_counts(title: str, kata: Kata, args: Sequence[Any]) -> Subject:
    words = tuple(Word(word, count) for word, count in args[0].items())
    return _training(title, words, False)


def _of_pair(title: str, kata: Kata, args: Sequence[Any]) -> Subject:
    symbols, pair = args
    return _of_given(title, (Word(symbols),), pair)


def _of_update(title: str, kata: Kata, args: Sequence[Any]) -> Subject:
    words, counts, _, _, pair = args
    table = zip(words, counts, strict=True)
    return _of_given(title, tuple(Word(tuple(word), count) for word, count in table), pair)


def _of_given(title: str, words: tuple[Word, ...], pair: Pair) -> Subject:
    rule = "The pair is given; it is merged from left to right, without overlaps."
    found = tracer.counts(words)[pair]
    rounds = iter([tracer.given(words, pair)] if found else [])
    end = "That is all." if found else f"{paired(pair)} does not occur."
    return Subject(title, rule, words, rounds, end=end)


_SUBJECTS = {
    "pair_counts": _of_counts,
    "merge_pair": _of_pair,
    "train_bpe": _of_training,
    "encode_bpe": _of_encoding,
    "merge_and_update": _of_update,
    "train_byte_bpe": _of_bytes,
}


# --- what is shown ---------------------------------------------------------------------


def paired(pair: Pair) -> str:
    """`(e, a)`."""
    return f"({spelled(pair[0])}, {spelled(pair[1])})"


def spelled(symbol: Symbol) -> str:
    """A symbol without quotes; bytes as text where they are whole characters."""
    if isinstance(symbol, bytes):
        try:
            return shown(symbol.decode("utf-8"))
        except UnicodeDecodeError:
            return repr(symbol)[2:-1]
    return shown(symbol)


def _step(turn: Round, greatest: bool) -> StepRow:
    changed = [word for word in turn.after if word.made]
    number = turn.candidates[0][1]
    rows, left_out = _rows(changed, counted=not turn.encoding)
    rest = turn.candidates[:_CANDIDATES]
    return StepRow(
        head=f"{turn.number:>2}",
        pair=paired(turn.pair),
        result=spelled(turn.pair[0] + turn.pair[1]),  # type: ignore[operator]
        remark=f"rank {number}" if turn.encoding else _remark(turn, number, greatest),
        candidates=[(paired(pair), _number(turn, n)) for pair, n in rest],
        left_out=len(turn.candidates) - len(rest),
        rows=rows,
        rows_left_out=left_out,
    )


def _remark(turn: Round, number: int, greatest: bool) -> str:
    times = "once" if number == 1 else f"{number:,} times"
    if len(turn.tied) == 1:
        return times
    rule = "greatest" if greatest else "smallest"
    return f"{times}, a tie of {len(turn.tied)}: the {rule} goes first"


def _number(turn: Round, number: int) -> str:
    return f"rank {number}" if turn.encoding else f"{number:,}"


def _rows(words: Sequence[Word], *, counted: bool | None = None) -> tuple[list[SpanRow], int]:
    with_counts = any(word.count != 1 for word in words) if counted is None else counted
    rows = [
        SpanRow(tuple(map(spelled, word.symbols)), word.made, word.count if with_counts else None)
        for word in words[:_WORDS]
    ]
    return rows, len(words) - len(rows)


def _by_hand(found: Subject, rounds: Iterator[Round], page: KataConsole, stdin: TextIO) -> None:
    """Ask on stdin; the end of input, or q, ends it."""

    shown_number = 0

    def ask(turn: Round) -> str | None:
        nonlocal shown_number
        if turn.number != shown_number:
            shown_number = turn.number
            show(page, SpansView(*_rows([replace(word, made=()) for word in turn.before])))
        page.print(f"  merge {turn.number}? ", end="")
        page.file.flush()
        line = stdin.readline()
        if not stdin.isatty():
            show(page, Sentence(line.strip()))  # a pipe does not echo
        return None if not line or line.strip() in ("q", "quit") else line

    def tell(sentence: str) -> None:
        show(page, Sentence(f"  {sentence}"))

    def reveal(turn: Round) -> None:
        show(page, StepView(_step(turn, found.greatest)))

    show(page, "\n")
    show(page, Sentence("Name the next merge, like: e a. ? shows it, q ends."))
    score = byhand.play(rounds, ask, tell, reveal, greatest=found.greatest)
    show(page, "\n")
    if score.asked:
        show(page, Sentence(f"{score.at_once} of {score.asked} right at the first try."))
