"""Annotations that are never evaluated, of names that do not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


def encode_bpe(word: str, merges: Sequence[tuple[str, str]], dtype: np.dtype = None) -> list[str]:
    ranks: dict[tuple[str, str], Rank] = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while len(symbols) > 1:
        pairs = list(zip(symbols, symbols[1:]))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        i = pairs.index(best)
        symbols[i : i + 2] = [best[0] + best[1]]
    return symbols
