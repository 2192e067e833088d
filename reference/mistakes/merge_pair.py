"""Known wrong solutions of `merge_pair`."""

import re
from itertools import pairwise


def uses_a_symbol_twice(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You use one symbol for two merges, so a run gets longer.

    In `("a", "a", "a")` the middle symbol belongs to the first occurrence, and is gone. After
    a merge, move on by two symbols before you look for the next one.

    Outcome: WRONG
    """
    merged, used = [], False
    for left, right in pairwise(symbols):
        if (left, right) == pair:
            merged.append(left + right)
        elif not used:
            merged.append(left)
        used = (left, right) == pair
    return tuple(merged) if used else (*merged, *symbols[-1:])


def drops_the_last_symbol(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You lose the last symbol when it is not part of a merge.

    A loop that stops where no right neighbour is left never reaches the last symbol. It
    still belongs in the result.

    Outcome: WRONG
    """
    merged, at = [], 0
    while at < len(symbols) - 1:
        if symbols[at : at + 2] == pair:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return tuple(merged)


def replaces_text(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You search in text, so you also match parts of symbols.

    With spaces between the symbols, the text `te s t` contains `e s`, although no symbol of
    that word is `e`. Compare whole symbols in the tuple.

    Outcome: WRONG
    """
    text = " ".join(symbols).replace(" ".join(pair), "".join(pair))
    return tuple(text.split())


def uses_spaces_as_borders(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You mark the borders of symbols with spaces, but a symbol may contain a space.

    A pattern that looks for spaces on both sides finds whole symbols only as long as none
    has a space in it. Work on the tuple; it keeps the borders for any text.

    Outcome: WRONG
    """
    pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(pair)) + r"(?!\S)")
    return tuple(pattern.sub(lambda _: "".join(pair), " ".join(symbols)).split())


def matches_joined_text(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You compare the joined text of two symbols with that of the pair.

    `("a", "bc")` and `("ab", "c")` both read `abc` when joined, but only one of them is the
    pair. Compare the left symbol with the left, and the right with the right.

    Outcome: WRONG
    """
    merged, at = [], 0
    while at < len(symbols):
        if len(symbols) - at > 1 and symbols[at] + symbols[at + 1] == pair[0] + pair[1]:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return tuple(merged)


def merges_the_merged(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You merge again what you have just made, so a run melts into one symbol.

    Comparing with the previous symbol of the input forgets that it may be used up already:
    `("a", "a", "a")` must become `("aa", "a")`. Compare with the last symbol of the result,
    or move on by two after a merge.

    Outcome: WRONG
    """
    merged: list[str] = []
    for at, symbol in enumerate(symbols):
        if at > 0 and (symbols[at - 1], symbol) == pair:
            merged[-1] += symbol
        else:
            merged.append(symbol)
    return tuple(merged)


def merges_from_the_right(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You merge from right to left.

    It matters in runs of an odd length. `("a", "a", "a")` must become `("aa", "a")`, with
    the odd symbol at the end; you leave it at the front.

    Outcome: WRONG
    """
    merged, at = [], len(symbols) - 1
    while at >= 0:
        if at > 0 and symbols[at - 1 : at + 1] == pair:
            merged.append(pair[0] + pair[1])
            at -= 2
        else:
            merged.append(symbols[at])
            at -= 1
    return tuple(reversed(merged))


def merges_the_first_only(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You merge one occurrence and stop.

    Every occurrence in the word has to be merged. Look for a `break` or a `return` inside
    the loop, or for an `index` that is asked only once.

    Outcome: WRONG
    """
    for at in range(len(symbols) - 1):
        if symbols[at : at + 2] == pair:
            return (*symbols[:at], pair[0] + pair[1], *symbols[at + 2 :])
    return symbols


def gives_up_at_a_false_start(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You stop at the first left symbol that has no right symbol behind it.

    `symbols.index(pair[0])` finds where the pair may start. When something else follows
    there, keep that symbol and search on behind it.

    Outcome: WRONG
    """
    merged: list[str] = []
    at = 0
    while pair[0] in symbols[at:]:
        found = symbols.index(pair[0], at)
        if symbols[found : found + 2] != pair:
            break
        merged += [*symbols[at:found], pair[0] + pair[1]]
        at = found + 2
    return (*merged, *symbols[at:])


def looks_in_blocks_of_two(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You move on by two symbols even where nothing matched.

    A pair can start at any position. Move on by two after a merge, and by one otherwise.

    Outcome: WRONG
    """
    merged: list[str] = []
    for at in range(0, len(symbols), 2):
        block = symbols[at : at + 2]
        merged += ["".join(block)] if block == pair else block
    return tuple(merged)


def merges_the_mirror_image(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You also merge the right symbol followed by the left one.

    A pair has an order: for `("a", "b")`, the symbols `b`, `a` are no occurrence. A set or
    a sorted tuple loses that order.

    Outcome: WRONG
    """
    merged, at = [], 0
    while at < len(symbols):
        two = symbols[at : at + 2]
        if sorted(two) == sorted(pair):
            merged.append("".join(two))
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return tuple(merged)


def reads_past_the_end(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You look at the right neighbour of the last symbol, which has none.

    When the last symbol equals the left one of the pair, `symbols[i + 1]` is an IndexError.
    Check that there is a next symbol first, or compare a slice.

    Outcome: RAISED
    """
    merged, at = [], 0
    while at < len(symbols):
        if symbols[at] == pair[0] and symbols[at + 1] == pair[1]:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return tuple(merged)


def returns_a_list(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You return a list where a tuple is asked for.

    Words are keys of a word table, and a list cannot be a key. Turn the result into a tuple
    when it is complete, and do so also when nothing matched.

    Outcome: WRONG
    """
    merged, at = [], 0
    while at < len(symbols):
        if symbols[at : at + 2] == pair:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return merged  # type: ignore[return-value]


def falls_apart_into_characters(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """You make a tuple of a string, which splits the result into characters.

    `tuple("".join(merged))` has one symbol for each character, so every merge is undone, also
    those of earlier calls. Make the tuple of the list of symbols.

    Outcome: WRONG
    """
    merged, at = [], 0
    while at < len(symbols):
        if symbols[at : at + 2] == pair:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return tuple("".join(merged))
