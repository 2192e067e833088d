"""Known wrong solutions of `merge_and_update`, each written the way people write it."""

from collections import Counter, defaultdict
from itertools import pairwise


def _merge(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def _settle(stats, delta):
    for pair, change in delta.items():
        total = stats.pop(pair, 0) + change
        if total:
            stats[pair] = total


def _with_merge(merge, words, counts, stats, where, pair):
    """A right update around a merge that may be wrong."""
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    return changed


# --- which words are read -------------------------------------------------------------


def loops_over_all_words(words, counts, stats, where, pair):
    """You look at every word, to find the pair or to count anew.

    `where[pair]` lists all the words that can hold it. Visit those and no others: take their old
    pairs out of `stats`, and put the new ones in.
    Outcome: WRONG
    """
    changed = []
    for i in range(len(words)):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            stats[each] -= counts[i]
        for each in pairwise(new):
            stats[each] = stats.get(each, 0) + counts[i]
            where.setdefault(each, set()).add(i)
    for each in [each for each, n in stats.items() if n == 0]:
        del stats[each]
    return changed


def iterates_over_words(words, counts, stats, where, pair):
    """You loop over `words`, which cannot be looped over.

    It answers to `len`, `words[i]` and `words[i] = symbols`. Loop over the indices in
    `where[pair]`.
    Outcome: RAISED
    """
    changed = []
    for i, old in enumerate(words):
        if pair not in pairwise(old):
            continue
        words[i] = new = _merge(old, pair)
        changed.append(i)
        for each in pairwise(old):
            stats[each] -= counts[i]
        for each in pairwise(new):
            stats[each] = stats.get(each, 0) + counts[i]
            where.setdefault(each, set()).add(i)
    for each in [each for each, n in stats.items() if n == 0]:
        del stats[each]
    return changed


def absent_pair_raises(words, counts, stats, where, pair):
    """You expect `where` to know the pair.

    A pair that is not in `where` is in no word: nothing changes and the result is []. Use
    `where.get(pair, ())`.
    Outcome: RAISED
    """
    changed, delta = [], Counter()
    for i in sorted(where[pair]):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    del where[pair]
    return changed


# --- how a word is merged -------------------------------------------------------------


def merges_text(words, counts, stats, where, pair):
    """You merge with a string replacement, across the borders of symbols.

    In "xa b" the text "a b" is found although the symbol is "xa". Compare whole symbols, by
    index.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split()

    return _with_merge(merge, words, counts, stats, where, pair)


def last_symbol_dropped(words, counts, stats, where, pair):
    """You lose the last symbol of a word when you merge.

    A loop to `len(symbols) - 1` never copies the last symbol, unless the pair ends there.
    Append what is left after the loop.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        merged, i = [], 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                merged.append(symbols[i] + symbols[i + 1])
                i += 2
            else:
                merged.append(symbols[i])
                i += 1
        return merged

    return _with_merge(merge, words, counts, stats, where, pair)


def only_first_merged(words, counts, stats, where, pair):
    """You merge the pair once per word and leave the rest.

    A word may hold the pair several times, as in a b a b. Go on to the end of the word.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == pair:
                return [*symbols[:i], symbols[i] + symbols[i + 1], *symbols[i + 2 :]]
        return symbols

    return _with_merge(merge, words, counts, stats, where, pair)


def merges_from_the_right(words, counts, stats, where, pair):
    """You merge from right to left.

    In a a a the first two symbols are merged, giving aa a; you get a aa. Scan from the left.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        symbols = list(symbols)
        for i in range(len(symbols) - 2, -1, -1):
            if tuple(symbols[i : i + 2]) == pair:
                symbols[i : i + 2] = [pair[0] + pair[1]]
        return symbols

    return _with_merge(merge, words, counts, stats, where, pair)


def word_not_written_back(words, counts, stats, where, pair):
    """You merge a copy and do not write it back.

    Building a new list leaves `words[i]` as it was. Assign it: `words[i] = merged`.
    Outcome: WRONG
    """
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        symbols = words[i]
        merged = _merge(symbols, pair)
        if merged == symbols:
            continue
        for each in pairwise(symbols):
            delta[each] -= counts[i]
        for each in pairwise(merged):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
        symbols = merged
        changed.append(i)
    _settle(stats, delta)
    return changed


# --- what is returned -----------------------------------------------------------------


def stale_words_returned(words, counts, stats, where, pair):
    """You return every word that `where[pair]` lists, the stale ones too.

    A listed word may have lost the pair since. Return the words that you changed.
    Outcome: WRONG
    """
    listed = sorted(where.get(pair, ()))
    _with_merge(_merge, words, counts, stats, where, pair)
    return listed


def result_unsorted(words, counts, stats, where, pair):
    """You return the indices in the order of a set.

    Small sets of small numbers look sorted, larger ones do not: {1, 8} is walked through as
    8, 1. Sort the result.
    Outcome: WRONG
    """
    order = list(where.get(pair, ()))
    changed = set(_with_merge(_merge, words, counts, stats, where, pair))
    return [i for i in order if i in changed]


def result_in_order_of_words(words, counts, stats, where, pair):
    """You loop over a set of words, and its order decides the result.

    The order of a set of strings depends on PYTHONHASHSEED, so two runs differ. Loop over
    sorted indices.
    Outcome: WRONG
    """
    spelled = defaultdict(list)
    for i in sorted(where.get(pair, ())):
        spelled["\n".join(words[i])].append(i)
    changed = set(_with_merge(_merge, words, counts, stats, where, pair))
    return [i for word in set(spelled) for i in spelled[word] if i in changed]


# --- stats ----------------------------------------------------------------------------


def counts_ignored(words, counts, stats, where, pair):
    """You change the counts by 1 instead of the word's count.

    A pair in a word that occurs six times counts six. Add and subtract `counts[i]`.
    Outcome: WRONG
    """
    return _with_merge(_merge, words, [1] * len(words), stats, where, pair)


def subtracted_once_per_word(words, counts, stats, where, pair):
    """You take a word's old pairs out once each, not once per position.

    A set of the old pairs forgets that a a a holds ("a", "a") twice. Subtract position by
    position.
    Outcome: WRONG
    """
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in set(pairwise(old)):
            delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    return changed


def stale_words_subtracted(words, counts, stats, where, pair):
    """You subtract for words that no longer hold the pair.

    `where[pair]` may list stale words. Taking their count off as well makes the count of the
    pair negative.
    Outcome: WRONG
    """
    changed = []
    for i in sorted(where.get(pair, ())):
        stats[pair] = stats.get(pair, 0) - counts[i]
        if pair not in pairwise(words[i]):
            continue
        old, new = words[i], _merge(words[i], pair)
        words[i] = new
        changed.append(i)
        stats[pair] += counts[i]
        for each in pairwise(old):
            stats[each] -= counts[i]
        for each in pairwise(new):
            stats[each] = stats.get(each, 0) + counts[i]
            where.setdefault(each, set()).add(i)
    for each in [each for each, n in stats.items() if n == 0]:
        del stats[each]
    return changed


def zero_entries_left(words, counts, stats, where, pair):
    """You leave pairs with the count zero in `stats`.

    A pair that no word holds any more is no pair. Delete its entry when its count has come to
    zero.
    Outcome: WRONG
    """
    changed = []
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            stats[each] -= counts[i]
        for each in pairwise(new):
            stats[each] = stats.get(each, 0) + counts[i]
            where.setdefault(each, set()).add(i)
    return changed


def stats_rebound(words, counts, stats, where, pair):
    """You bind `stats` to a new dict, which the caller never sees.

    `stats = {…}` changes what the name means inside your function. Change the dict itself,
    with `stats[pair] = …` and `del stats[pair]`.
    Outcome: WRONG
    """
    stats = Counter(stats)
    changed = []
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        stats.subtract({each: n * counts[i] for each, n in Counter(pairwise(old)).items()})
        stats.update({each: n * counts[i] for each, n in Counter(pairwise(new)).items()})
        for each in pairwise(new):
            where.setdefault(each, set()).add(i)
    stats = {each: n for each, n in stats.items() if n}
    return changed


def new_counts_overwritten(words, counts, stats, where, pair):
    """You set the count of a new pair instead of adding to it.

    Another word, or another place in this one, may hold the pair already: when x a b and
    x ab meet in ("x", "ab"), their counts add up.
    Outcome: WRONG
    """
    changed = []
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each, n in Counter(pairwise(old)).items():
            stats[each] -= n * counts[i]
        for each, n in Counter(pairwise(new)).items():
            if pair[0] + pair[1] in each:
                stats[each] = n * counts[i]
            else:
                stats[each] += n * counts[i]
            where.setdefault(each, set()).add(i)
    for each in [each for each, n in stats.items() if n == 0]:
        del stats[each]
    return changed


def merged_pair_left(words, counts, stats, where, pair):
    """You leave the merged pair itself in `stats`.

    You update its neighbours only. After the merge no word holds the pair; its entry has to
    go.
    Outcome: WRONG
    """
    changed, delta = [], Counter()
    for i in sorted(where.get(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            if each != pair:
                delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    return changed


def overlap_left_behind(words, counts, stats, where, pair):
    """You subtract the merged pair once per merge, and its overlaps stay counted.

    a a a holds ("a", "a") twice and is merged once. The second occurrence is gone as well.
    Outcome: WRONG
    """
    changed, delta = [], Counter()
    for i in sorted(where.get(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        delta[pair] -= (len(old) - len(new)) * counts[i]
        for each in pairwise(old):
            if each != pair:
                delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    return changed


def old_neighbour_booked(words, counts, stats, where, pair):
    """You book the left neighbour under its old symbol, although it was merged a moment ago.

    In a b a b the second merge has the new symbol ab on its left, not b. Read the left
    neighbour from the word you are building.
    Outcome: WRONG
    """
    (left, right), new = pair, pair[0] + pair[1]
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, merged, j = words[i], [], 0
        while j < len(old):
            if j + 1 < len(old) and (old[j], old[j + 1]) == pair:
                delta[pair] -= counts[i]
                if j > 0:
                    delta[old[j - 1], left] -= counts[i]
                    delta[old[j - 1], new] += counts[i]
                    where.setdefault((old[j - 1], new), set()).add(i)
                if j + 2 < len(old):
                    delta[right, old[j + 2]] -= counts[i]
                    delta[new, old[j + 2]] += counts[i]
                    where.setdefault((new, old[j + 2]), set()).add(i)
                merged.append(new)
                j += 2
            else:
                merged.append(old[j])
                j += 1
        if len(merged) < len(old):
            words[i] = merged
            changed.append(i)
    _settle(stats, delta)
    return changed


def new_pair_counted_twice(words, counts, stats, where, pair):
    """You count a pair of two new symbols from both of its sides.

    In ab ab, just made from a b a b, the pair ("ab", "ab") is the right neighbour of one new
    symbol and the left neighbour of the other. Count positions, not neighbours.
    Outcome: WRONG
    """
    new = pair[0] + pair[1]
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, merged = words[i], _merge(words[i], pair)
        if len(merged) == len(old):
            continue
        words[i] = merged
        changed.append(i)
        for each in pairwise(old):
            delta[each] -= counts[i]
        for each in pairwise(merged):
            if new not in each:
                delta[each] += counts[i]
        for j, symbol in enumerate(merged):
            if symbol != new:
                continue
            if j > 0:
                delta[merged[j - 1], new] += counts[i]
                where.setdefault((merged[j - 1], new), set()).add(i)
            if j + 1 < len(merged):
                delta[new, merged[j + 1]] += counts[i]
                where.setdefault((new, merged[j + 1]), set()).add(i)
    _settle(stats, delta)
    return changed


def between_merges_subtracted_twice(words, counts, stats, where, pair):
    """You subtract the pair between two neighbouring merges twice.

    In a b a b the pair ("b", "a") is the right neighbour of the first merge and the left
    neighbour of the second, but it stands there once.
    Outcome: WRONG
    """
    (left, right), new = pair, pair[0] + pair[1]
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, j = words[i], 0
        while j + 1 < len(old):
            if (old[j], old[j + 1]) != pair:
                j += 1
                continue
            delta[pair] -= counts[i]
            if j > 0:
                delta[old[j - 1], left] -= counts[i]
            if j + 2 < len(old):
                delta[right, old[j + 2]] -= counts[i]
            j += 2
        merged = _merge(old, pair)
        if len(merged) == len(old):
            continue
        words[i] = merged
        changed.append(i)
        for each in pairwise(merged):
            if new in each:
                delta[each] += counts[i]
                where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    return changed


def existing_symbol_taken_for_new(words, counts, stats, where, pair):
    """You take every occurrence of the merged symbol for one you have just made.

    The symbol may have stood in the word before, and its pairs are counted already. Remember
    where you merged instead of looking for the symbol afterwards.
    Outcome: WRONG
    """
    new = pair[0] + pair[1]
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, merged = words[i], _merge(words[i], pair)
        if len(merged) == len(old):
            continue
        words[i] = merged
        changed.append(i)
        for each in pairwise(old):
            if new not in each:
                delta[each] -= counts[i]
        for each in pairwise(merged):
            delta[each] += counts[i]
            if new in each:
                where.setdefault(each, set()).add(i)
    _settle(stats, delta)
    return changed


# --- where ----------------------------------------------------------------------------


def where_changed_while_looping(words, counts, stats, where, pair):
    """You change `where[pair]` while you loop over it.

    A set must not change its size under a loop. Loop over a copy: `sorted(where[pair])`.
    Outcome: RAISED
    """
    changed, delta = [], Counter()
    for i in where.get(pair, ()):
        old, new = words[i], _merge(words[i], pair)
        for each in pairwise(old):
            delta[each] -= counts[i]
            where[each].discard(i)
        for each in pairwise(new):
            delta[each] += counts[i]
            where.setdefault(each, set()).add(i)
        if new != old:
            words[i] = new
            changed.append(i)
    _settle(stats, delta)
    return sorted(changed)


def new_pairs_not_indexed(words, counts, stats, where, pair):
    """You keep `stats` up to date and forget `where`.

    The next call finds its words through `where`. Each pair of a changed word needs the
    word's index.
    Outcome: WRONG
    """
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
    _settle(stats, delta)
    return changed


def index_not_extended(words, counts, stats, where, pair):
    """You enter a word into the index only under pairs that are new to the index.

    A merge in one word can make a pair that other words hold already. Its set has to get the
    index of this word too.
    Outcome: WRONG
    """
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, new = words[i], _merge(words[i], pair)
        if new == old:
            continue
        words[i] = new
        changed.append(i)
        for each in pairwise(old):
            delta[each] -= counts[i]
        for each in pairwise(new):
            delta[each] += counts[i]
            if each not in where:
                where[each] = {i}
    _settle(stats, delta)
    return changed


def index_taken_out_too_soon(words, counts, stats, where, pair):
    """You take a word out of the index of a neighbouring pair that it still holds.

    a b x b x loses one ("b", "x") and keeps the other. Stale entries do no harm; leave them,
    or look at the whole word before you remove one.
    Outcome: WRONG
    """
    (left, right), new = pair, pair[0] + pair[1]
    changed, delta = [], Counter()
    for i in sorted(where.pop(pair, ())):
        old, merged, j = words[i], [], 0
        while j < len(old):
            if j + 1 < len(old) and (old[j], old[j + 1]) == pair:
                delta[pair] -= counts[i]
                if merged:
                    delta[merged[-1], left] -= counts[i]
                    delta[merged[-1], new] += counts[i]
                    where.get((merged[-1], left), set()).discard(i)
                    where.setdefault((merged[-1], new), set()).add(i)
                if j + 2 < len(old):
                    delta[right, old[j + 2]] -= counts[i]
                    delta[new, old[j + 2]] += counts[i]
                    where.get((right, old[j + 2]), set()).discard(i)
                    where.setdefault((new, old[j + 2]), set()).add(i)
                merged.append(new)
                j += 2
            else:
                merged.append(old[j])
                j += 1
        if len(merged) < len(old):
            words[i] = merged
            changed.append(i)
    _settle(stats, delta)
    return changed


def evicted_too_early(words, counts, stats, where, pair):
    """You drop a pair when its count touches zero, though the same word brings it back.

    All old pairs of a word go before its new ones come, so a pair that stays can touch zero in
    between. You drop its index then, and afterwards add only the pairs the word did not hold
    before. Decide about zero when the last word is done.
    Outcome: WRONG
    """
    changed = []
    for i in sorted(where.get(pair, ())):
        if pair not in pairwise(words[i]):
            continue
        old = list(pairwise(words[i]))
        for each in old:
            stats[each] -= counts[i]
            if stats[each] == 0:
                del stats[each]
                where.pop(each, None)
        words[i] = _merge(words[i], pair)
        changed.append(i)
        new = list(pairwise(words[i]))
        for each in new:
            stats[each] = stats.get(each, 0) + counts[i]
        for each in set(new) - set(old):
            where.setdefault(each, set()).add(i)
    return changed


def everything_indexed(words, counts, stats, where, pair):
    """You list every word under the new pairs.

    Such an index is complete and useless: the next call has to visit all words. Add a word
    only when it changes.
    Outcome: WRONG
    """
    changed = _with_merge(_merge, words, counts, stats, where, pair)
    for i in changed:
        for each in pairwise(words[i]):
            if pair[0] + pair[1] in each:
                where[each].update(range(len(words)))
    return changed
