"""Right solutions of `merge_pair`, each built in its own way."""

from collections import deque


def while_with_index(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """An index that moves on by one or by two."""
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return tuple(merged)


def while_with_slice(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """A slice of two compared with the pair."""
    merged = ()
    while symbols:
        if symbols[:2] == pair:
            merged, symbols = (*merged, "".join(pair)), symbols[2:]
        else:
            merged, symbols = (*merged, symbols[0]), symbols[1:]
    return merged


def jumps_with_index(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Jumps from one left symbol to the next with tuple.index."""
    left, right = pair
    merged, start = [], 0
    while True:
        try:
            found = symbols.index(left, start, max(len(symbols) - 1, 0))
        except ValueError:
            return (*merged, *symbols[start:])
        merged.extend(symbols[start:found])
        if symbols[found + 1] == right:
            merged.append(left + right)
            start = found + 2
        else:
            merged.append(left)
            start = found + 1


def edits_a_list(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Edits a list in place and shortens it."""
    work, i = list(symbols), 0
    while i < len(work) - 1:
        if (work[i], work[i + 1]) == pair:
            work[i] += work.pop(i + 1)
        i += 1
    return tuple(work)


def looks_back(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """A stack: each symbol looks back at the one before it, marked when it is made."""
    stack = []
    for symbol in symbols:
        if symbol == pair[1] and stack and stack[-1] == (pair[0], False):
            stack[-1] = (pair[0] + pair[1], True)
        else:
            stack.append((symbol, False))
    return tuple(symbol for symbol, _ in stack)


def generator_with_skip(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """A generator that skips the right half of what it has merged."""

    def parts():
        skip = False
        for symbol, following in zip(symbols, (*symbols[1:], None), strict=False):
            if skip:
                skip = False
            elif (symbol, following) == pair:
                skip = True
                yield symbol + following
            else:
                yield symbol

    return tuple(parts())


def recurses_behind_a_match(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Recursion on what follows the first occurrence."""
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == pair:
            return (*symbols[:i], "".join(pair), *recurses_behind_a_match(symbols[i + 2 :], pair))
    return symbols


def takes_from_a_queue(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """A queue that is emptied from the left."""
    queue, merged = deque(symbols), []
    while queue:
        symbol = queue.popleft()
        if symbol == pair[0] and queue and queue[0] == pair[1]:
            symbol += queue.popleft()
        merged.append(symbol)
    return tuple(merged)
