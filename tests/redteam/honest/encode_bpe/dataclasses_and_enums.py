"""A dataclass, a NamedTuple and an enum of its own on the way to plain strings."""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple


class State(Enum):
    LIVE = auto()
    DONE = auto()


class Place(NamedTuple):
    rank: int
    position: int


@dataclass(order=True, slots=True)
class Word:
    symbols: list[str] = field(default_factory=list)
    state: State = State.LIVE


def encode_bpe(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    now = Word(list(word))
    while now.state is State.LIVE:
        pairs = enumerate(zip(now.symbols, now.symbols[1:]))
        places = [Place(ranks[pair], i) for i, pair in pairs if pair in ranks]
        if not places:
            now.state = State.DONE
            continue
        i = min(places).position
        now.symbols[i : i + 2] = ["".join(now.symbols[i : i + 2])]
    return now.symbols
