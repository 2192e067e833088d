"""Known wrong solutions of `encode_bpe`."""

from heapq import heapify, heappop, heappush
from itertools import pairwise


def leftmost_pair_first(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You merge the leftmost pair you know.

    Look for the lowest rank in the whole sequence, then merge there. A pair further to the
    right may have been learned earlier, and it goes first. (Taking the pair that makes the
    longest symbol comes to the same.)

    Outcome: WRONG
    """
    known, symbols = set(merges), list(word)
    at = 0
    while at < len(symbols) - 1:
        if (symbols[at], symbols[at + 1]) in known:
            symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
            at = 0
        else:
            at += 1
    return symbols


def longest_match(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You cut off the longest known symbol again and again.

    Byte-pair encoding does not look symbols up; it repeats the merges in the order in which
    they were learned. A long symbol is made only if its parts survive until its merge.

    Outcome: WRONG
    """
    vocab = {left + right for left, right in merges}
    symbols, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start + 1 and word[start:end] not in vocab:
            end -= 1
        symbols.append(word[start:end])
        start = end
    return symbols


def fewest_symbols(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You look for the split with the fewest symbols.

    The ranks decide, not the number of symbols. With merges learned from `ab` and `bcd`,
    `abcd` is `ab c d`, although `a bcd` is shorter.

    Outcome: WRONG
    """
    vocab = {left + right for left, right in merges} | set(word)
    best: list[list[str]] = [[]]
    for end in range(1, len(word) + 1):
        splits = (
            best[start] + [word[start:end]] for start in range(end) if word[start:end] in vocab
        )
        best.append(min(splits, key=len))
    return best[-1]


def rightmost_pair_first(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You merge the rightmost pair you know.

    The rank decides, not the place. Look for the lowest rank in the whole sequence; only if
    its pair stands at several places, take the leftmost of them.

    Outcome: WRONG
    """
    known, symbols = set(merges), list(word)
    at = len(symbols) - 2
    while at >= 0:
        if (symbols[at], symbols[at + 1]) in known:
            symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
            at = len(symbols) - 1
        at -= 1
    return symbols


def merges_in_passes(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You go from left to right and merge every pair you know, whatever its rank.

    Going over the word again until nothing changes does not help: by then a pair of high rank
    may have used a symbol that a lower rank needed. In each pass merge one pair only, the one
    of lowest rank in the whole sequence.

    Outcome: WRONG
    """
    known, symbols, changed = set(merges), list(word), True
    while changed:
        merged, at, changed = [], 0, False
        while at < len(symbols):
            if tuple(symbols[at : at + 2]) in known:
                merged.append(symbols[at] + symbols[at + 1])
                at += 2
                changed = True
            else:
                merged.append(symbols[at])
                at += 1
        symbols = merged
    return symbols


def latest_merge_first(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You merge the pair of highest rank, the one that was learned last.

    Rank 0 was learned first and goes first. Take the minimum of the ranks, and give pairs
    that are no merges a rank above all others.

    Outcome: WRONG
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, list(word)
    while len(symbols) > 1:
        best = max(pairwise(symbols), key=lambda pair: ranks.get(pair, -1))
        if best not in ranks:
            break
        at = list(pairwise(symbols)).index(best)
        symbols[at : at + 2] = ["".join(best)]
    return symbols


def rightmost_place_first(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You begin at the right where the same pair stands at several places.

    It shows in runs: with the merge `("a", "a")`, `aaa` is `aa a`, not `a aa`. A comparison
    with `<=` that keeps the last minimum does this, and so does a scan from the end.

    Outcome: WRONG
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, list(word)
    while True:
        best, place = len(merges), -1
        for at, pair in enumerate(pairwise(symbols)):
            if ranks.get(pair, len(merges) + 1) <= best:
                best, place = ranks[pair], at
        if place < 0:
            return symbols
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]


def uses_a_symbol_twice(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You use one symbol for two merges, so the word gets longer.

    With the merge `("a", "a")`, `aaa` is `aa a`. The middle symbol is gone after the first
    merge, so move on by two. Joined together, your symbols must be the word.

    Outcome: WRONG
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, list(word)
    while len(symbols) > 1:
        best = min(pairwise(symbols), key=lambda pair: ranks.get(pair, len(merges)))
        if best not in ranks:
            break
        merged, used = [], False
        for pair in pairwise(symbols):
            if pair == best:
                merged.append("".join(best))
            elif not used:
                merged.append(pair[0])
            used = pair == best
        symbols = merged if used else [*merged, symbols[-1]]
    return symbols


def one_pass(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You go through the word once and stop.

    A merge makes a new symbol, and the new symbol can be part of a further merge. Repeat
    until no two adjacent symbols are a merge.

    Outcome: WRONG
    """
    known, symbols, at = set(merges), list(word), 0
    while at < len(symbols) - 1:
        if (symbols[at], symbols[at + 1]) in known:
            symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
        at += 1
    return symbols


def each_merge_once(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You make each merge at one place only.

    Going through the list of merges once is sound, but then each of them must be made at
    every place where its pair stands before you go on to the next.

    Outcome: WRONG
    """
    symbols = list(word)
    for pair in merges:
        places = list(pairwise(symbols))
        if pair in places:
            at = places.index(pair)
            symbols[at : at + 2] = ["".join(pair)]
    return symbols


def stops_at_an_absent_merge(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You stop at the first merge whose pair the word does not have.

    Most merges of a list do not occur in a given word. Skip those; stop only when none is
    left that does.

    Outcome: WRONG
    """
    symbols = list(word)
    for left, right in merges:
        if (left, right) not in pairwise(symbols):
            break
        at = 0
        while at < len(symbols) - 1:
            if symbols[at] == left and symbols[at + 1] == right:
                symbols[at : at + 2] = [left + right]
            at += 1
    return symbols


def replaces_text(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You search in text, so you also match parts of symbols.

    With spaces between the symbols, `xa b` contains the text `a b`, although no symbol is
    `a`. And a word may have a space of its own. Compare whole symbols in a list.

    Outcome: WRONG
    """
    text = " ".join(word)
    for left, right in merges:
        text = text.replace(f"{left} {right}", left + right)
    return text.split()


def drops_unknown_characters(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You drop characters that no merge mentions.

    An unknown character stays a symbol of its own. Joined together, the symbols are always
    the whole word.

    Outcome: WRONG
    """
    known = {character for pair in merges for character in "".join(pair)}
    symbols = [character for character in word if character in known]
    for left, right in merges:
        at = 0
        while at < len(symbols) - 1:
            if symbols[at] == left and symbols[at + 1] == right:
                symbols[at : at + 2] = [left + right]
            at += 1
    return symbols


def forgets_the_left_neighbour(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You look only at the right neighbour of a new symbol.

    A merge makes two new pairs: one with the symbol on its right, and one with the symbol
    on its left. Both may be merges, so both belong in the heap.

    Outcome: WRONG
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, [*word, ""]
    after = list(range(1, len(word) + 1))
    queue = [(ranks[pair], at) for at, pair in enumerate(pairwise(word)) if pair in ranks]
    heapify(queue)
    while queue:
        rank, left = heappop(queue)
        right = after[left]
        if (symbols[left], symbols[right]) != merges[rank]:
            continue
        symbols[left], symbols[right] = "".join(merges[rank]), ""
        after[left] = after[right]
        pair = symbols[left], symbols[after[left]]
        if pair in ranks:
            heappush(queue, (ranks[pair], left))
    return [symbol for symbol in symbols if symbol]


def trusts_outdated_entries(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You merge at a remembered place without checking that the pair still stands there.

    An entry of the heap was right when it went in. By the time it comes out, an earlier
    merge may have taken one of its two symbols. Compare both symbols with the pair, and
    drop the entry when they differ.

    Outcome: WRONG
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, [*word, ""]
    before, after = list(range(-1, len(word))), list(range(1, len(word) + 2))
    queue = [(ranks[pair], at) for at, pair in enumerate(pairwise(word)) if pair in ranks]
    heapify(queue)
    while queue:
        _, left = heappop(queue)
        right = after[left]
        if not symbols[left] or not symbols[right]:
            continue
        symbols[left] += symbols[right]
        symbols[right] = ""
        after[left] = after[right]
        before[after[left]] = left
        for at, pair in (
            (before[left], (symbols[before[left]], symbols[left])),
            (left, (symbols[left], symbols[after[left]])),
        ):
            if pair in ranks:
                heappush(queue, (ranks[pair], at))
    return [symbol for symbol in symbols if symbol]


def breaks_on_the_empty_word(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You look for the best of no pairs at all.

    `min` of nothing raises a ValueError. A word of one character has no pair, an empty word
    has not even that, and a word may be down to one symbol after a merge. Check before you
    ask for the minimum, or give `min` a `default`.

    Outcome: RAISED
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, list(word)
    best = min(pairwise(symbols), key=lambda pair: ranks.get(pair, len(merges)))
    while best in ranks:
        at = list(pairwise(symbols)).index(best)
        symbols[at : at + 2] = ["".join(best)]
        pairs = list(pairwise(symbols))
        best = min(pairs, key=lambda pair: ranks.get(pair, len(merges)), default=("", ""))
    return symbols


def breaks_on_no_merges(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You expect at least one merge in the list.

    A training may have learned nothing, and then the list is empty: `merges[0]`, or `max`
    over it, raises. With no merges the answer is the characters of the word.

    Outcome: RAISED
    """
    longest = max(len(left + right) for left, right in merges)
    symbols = list(word)
    for left, right in merges:
        at = 0
        while at < len(symbols) - 1:
            joined = symbols[at] + symbols[at + 1]
            if len(joined) <= longest and (symbols[at], symbols[at + 1]) == (left, right):
                symbols[at : at + 2] = [joined]
            at += 1
    return symbols


def changes_the_merges(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You take the merges off the list while you work.

    The caller encodes the next word with the same list. Loop over it, or make a copy, and
    leave it as it is.

    Outcome: WRONG
    """
    symbols = list(word)
    while merges:
        left, right = merges.pop(0)
        at = 0
        while at < len(symbols) - 1:
            if symbols[at] == left and symbols[at + 1] == right:
                symbols[at : at + 2] = [left + right]
            at += 1
    return symbols


def returns_text(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You return one string where a list of symbols is asked for.

    Return the list itself. Symbols joined with spaces cannot be told apart once a symbol
    holds a space.

    Outcome: WRONG
    """
    symbols = list(word)
    for left, right in merges:
        at = 0
        while at < len(symbols) - 1:
            if symbols[at] == left and symbols[at + 1] == right:
                symbols[at : at + 2] = [left + right]
            at += 1
    return " ".join(symbols)  # type: ignore[return-value]


def scans_after_every_merge(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You look at the whole word again after each merge.

    On a long word that is quadratic: 100,000 characters take hours. Only the two pairs next
    to a merge are new. Keep the others in a heap of (rank, position), and link each symbol
    to its neighbours.

    Outcome: stretch
    """
    ranks, symbols = {pair: rank for rank, pair in enumerate(merges)}, list(word)
    while len(symbols) > 1:
        best = min(pairwise(symbols), key=lambda pair: ranks.get(pair, len(merges)))
        if best not in ranks:
            break
        at = next(at for at, pair in enumerate(pairwise(symbols)) if pair == best)
        symbols[at : at + 2] = ["".join(best)]
    return symbols


def recurses_for_every_merge(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """You call yourself once for each merge.

    Python allows about a thousand calls inside each other, so a run of some thousand letters
    ends in a RecursionError. A `while` loop does the same and has no such end.

    Outcome: stretch
    """
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    return _recurse(list(word), ranks)


def _recurse(symbols: list[str], ranks: dict[tuple[str, str], int]) -> list[str]:
    pairs = [pair for pair in pairwise(symbols) if pair in ranks]
    if not pairs:
        return symbols
    best = min(pairs, key=ranks.__getitem__)
    at = list(pairwise(symbols)).index(best)
    return _recurse([*symbols[:at], "".join(best), *symbols[at + 2 :]], ranks)
