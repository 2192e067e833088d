"""Known wrong solutions of `train_bpe`, each written the way people write it."""

from array import array
from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush
from itertools import pairwise

# --- what the plain trainers share: count, choose, merge, again -----------------------


def _count(words):
    totals = Counter()
    for symbols, n in words:
        for pair in pairwise(symbols):
            totals[pair] += n
    return totals


def _smallest(totals):
    return min(totals, key=lambda pair: (-totals[pair], pair))


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


def _recounting(word_counts, num_merges, count=_count, choose=_smallest, merge=_merge):
    """A right trainer whose three steps can be swapped for wrong ones."""
    words = [(list(word), n) for word, n in word_counts.items()]
    merges = []
    for _ in range(num_merges):
        totals = count(words)
        if not totals:
            break
        best = choose(totals)
        merges.append(best)
        words = [(merge(symbols, best), n) for symbols, n in words]
    return merges


# --- choosing -------------------------------------------------------------------------


def tie_first_seen(word_counts, num_merges):
    """You let the pair you met first win a tie.

    `max(totals, key=totals.get)` keeps the first of equal counts, so the order of the table
    decides. Put the pair into the key: highest count, then smallest pair.
    Outcome: WRONG
    """
    return _recounting(word_counts, num_merges, choose=lambda totals: max(totals, key=totals.get))


def tie_greatest(word_counts, num_merges):
    """You let the greatest pair win a tie.

    `max` over `(count, pair)` maximises both. Here the smallest pair wins: take the minimum
    of `(-count, pair)`.
    Outcome: WRONG
    """
    return _recounting(
        word_counts, num_merges, choose=lambda totals: max(totals, key=lambda p: (totals[p], p))
    )


def tie_joined(word_counts, num_merges):
    """You break ties on the joined text instead of the pair.

    ("aa", "b") and ("a", "ab") join to the same text, and ("a", "b") goes before ("aa", "a")
    although "ab" comes after "aaa". Compare the tuples.
    Outcome: WRONG
    """
    return _recounting(
        word_counts,
        num_merges,
        choose=lambda totals: min(totals, key=lambda p: (-totals[p], p[0] + p[1])),
    )


def tie_shorter(word_counts, num_merges):
    """You let the shorter pair win a tie.

    Length is no part of the rule. Among equal counts only Python's order of tuples decides,
    so ("aa", "b") goes before ("b", "b").
    Outcome: WRONG
    """
    return _recounting(
        word_counts,
        num_merges,
        choose=lambda totals: min(totals, key=lambda p: (-totals[p], len(p[0] + p[1]), p)),
    )


def tie_by_negated_characters(word_counts, num_merges):
    """You turn the order of strings around by negating characters, and prefixes sort wrong.

    "a" comes before "aa", but [-97] comes before [-97, -97] too, so the negated key does not
    reverse the order of a symbol and its own prefix. Negate the count, leave the strings.
    Outcome: WRONG
    """

    def negated(text):
        return [-ord(character) for character in text]

    return _recounting(
        word_counts,
        num_merges,
        choose=lambda totals: max(totals, key=lambda p: (totals[p], *map(negated, p))),
    )


def tie_by_set_order(word_counts, num_merges):
    """You loop over a set of strings, and its order decides the ties.

    The order of a set of strings depends on PYTHONHASHSEED, so two runs differ. Give every
    pair a key that leaves no tie.
    Outcome: WRONG
    """
    words = [(list(word), n) for word, n in word_counts.items()]
    merges = []
    while len(merges) < num_merges:
        totals = _count(words)
        best, highest = None, 0
        for pair in set(totals):
            if totals[pair] > highest:
                best, highest = pair, totals[pair]
        if best is None:
            break
        merges.append(best)
        words = [(_merge(symbols, best), n) for symbols, n in words]
    return merges


# --- counting -------------------------------------------------------------------------


def counts_unweighted(word_counts, num_merges):
    """You count each word once, however often it occurs.

    A pair in a word that occurs six times counts six. Add the word's count, not 1.
    Outcome: WRONG
    """

    def count(words):
        return Counter(pair for symbols, _ in words for pair in pairwise(symbols))

    return _recounting(word_counts, num_merges, count=count)


def counts_without_overlaps(word_counts, num_merges):
    """You skip overlapping occurrences when you count.

    In a a a the pair ("a", "a") stands at two positions and counts twice, although only one
    of the two can be merged. Counting looks at every position, merging does not.
    Outcome: WRONG
    """

    def count(words):
        totals = Counter()
        for symbols, n in words:
            last = {}
            for i, pair in enumerate(pairwise(symbols)):
                if last.get(pair) == i - 1:
                    continue
                totals[pair] += n
                last[pair] = i
        return totals

    return _recounting(word_counts, num_merges, count=count)


def counts_once_per_word(word_counts, num_merges):
    """You count a pair once per word, however often it stands in it.

    A set, or `pair in word`, forgets repeats. Count every position.
    Outcome: WRONG
    """

    def count(words):
        totals = Counter()
        for symbols, n in words:
            for pair in dict.fromkeys(pairwise(symbols)):
                totals[pair] += n
        return totals

    return _recounting(word_counts, num_merges, count=count)


def pairs_across_words(word_counts, num_merges):
    """You count pairs that reach from one word into the next.

    Once the words stand in one long list, the end of a word has a neighbour. Keep the words
    apart.
    Outcome: WRONG
    """

    def count(words):
        stream = [(symbol, n) for symbols, n in words for symbol in symbols]
        totals = Counter()
        for (left, n), (right, _) in pairwise(stream):
            totals[left, right] += n
        return totals

    return _recounting(word_counts, num_merges, count=count)


def two_symbol_words_ignored(word_counts, num_merges):
    """You leave out the words of two symbols.

    Two symbols are a pair like any other. The condition is `len(symbols) > 1`, not
    `len(symbols) > 2`.
    Outcome: WRONG
    """

    def count(words):
        return _count((symbols, n) for symbols, n in words if len(symbols) > 2)

    return _recounting(word_counts, num_merges, count=count)


def counts_in_32_bits(word_counts, num_merges):
    """You keep counts in 32 bits.

    Counts may be huge, and sums of them more so. A Python integer has no limit; an array, or
    a numpy integer, has one.
    Outcome: RAISED
    """
    words = [list(word) for word in word_counts]
    numbers = array("i", word_counts.values())
    merges = []
    while len(merges) < num_merges:
        totals = _count(zip(words, numbers, strict=True))
        if not totals:
            break
        merges.append(_smallest(totals))
        words = [_merge(symbols, merges[-1]) for symbols in words]
    return merges


def counts_as_shares(word_counts, num_merges):
    """You compare shares of the total instead of counts.

    A float holds 53 bits: two huge counts that differ by one become the same share, and the
    tie rule decides what is no tie. Compare the integers.
    Outcome: WRONG
    """
    total = sum(word_counts.values())
    shares = {word: n / total for word, n in word_counts.items()}
    return _recounting(shares, num_merges)


# --- merging --------------------------------------------------------------------------


def merges_text(word_counts, num_merges):
    """You merge with a string replacement, across the borders of symbols.

    In "xa b" the text "a b" is found although the symbol is "xa". Compare whole symbols, by
    index.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split(" ")

    return _recounting(word_counts, num_merges, merge=merge)


def last_symbol_dropped(word_counts, num_merges):
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

    return _recounting(word_counts, num_merges, merge=merge)


def only_first_merged(word_counts, num_merges):
    """You merge the pair once per word and leave the rest.

    A word may hold the pair several times, as in a b a b. Go on to the end of the word.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == pair:
                return [*symbols[:i], symbols[i] + symbols[i + 1], *symbols[i + 2 :]]
        return symbols

    return _recounting(word_counts, num_merges, merge=merge)


def merges_from_the_right(word_counts, num_merges):
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

    return _recounting(word_counts, num_merges, merge=merge)


def merges_overlaps(word_counts, num_merges):
    """You merge overlapping occurrences, so a a a becomes aa aa.

    A symbol that has just been merged is used up. After a merge go on two symbols further.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        merged, used = [], False
        for i, symbol in enumerate(symbols):
            if tuple(symbols[i : i + 2]) == pair:
                merged.append(pair[0] + pair[1])
                used = True
            elif used:
                used = False
            else:
                merged.append(symbol)
        return merged

    return _recounting(word_counts, num_merges, merge=merge)


# --- starting and stopping ------------------------------------------------------------


def crashes_without_pairs(word_counts, num_merges):
    """You choose the best pair when there is none.

    `max` and `min` of nothing raise ValueError. Stop as soon as no word has two symbols left.
    Outcome: RAISED
    """
    words = [(list(word), n) for word, n in word_counts.items()]
    merges = []
    for _ in range(num_merges):
        merges.append(_smallest(_count(words)))
        words = [(_merge(symbols, merges[-1]), n) for symbols, n in words]
    return merges


def crashes_on_empty_table(word_counts, num_merges):
    """You do not expect an empty table.

    Unpacking `zip(*word_counts.items())` needs at least one word. Without words the result
    is [].
    Outcome: RAISED
    """
    words, numbers = zip(*word_counts.items(), strict=True)
    return _recounting(dict(zip(words, numbers, strict=True)), num_merges)


def waits_for_more_pairs(word_counts, num_merges):
    """You loop until you have `num_merges` merges, also when no pair is left.

    A table can run out of pairs before. Leave the loop when there is nothing to count.
    Outcome: TIMEOUT
    """
    words = [(list(word), n) for word, n in word_counts.items()]
    merges = []
    while len(merges) < num_merges:
        totals = _count(words)
        if totals:
            merges.append(_smallest(totals))
            words = [(_merge(symbols, merges[-1]), n) for symbols, n in words]
    return merges


def stops_at_count_one(word_counts, num_merges):
    """You stop when the best pair occurs only once.

    Some tokenizers do; this one goes on until no word has two symbols, or `num_merges` is
    reached.
    Outcome: WRONG
    """
    words = [(list(word), n) for word, n in word_counts.items()]
    merges = []
    for _ in range(num_merges):
        totals = _count(words)
        if not totals or max(totals.values()) < 2:
            break
        merges.append(_smallest(totals))
        words = [(_merge(symbols, merges[-1]), n) for symbols, n in words]
    return merges


def counts_symbols_not_merges(word_counts, num_merges):
    """You stop when the vocabulary has `num_merges` symbols.

    `num_merges` counts merges. The characters you start from are not among them.
    Outcome: WRONG
    """
    characters = {character for word in word_counts for character in word}
    return _recounting(word_counts, num_merges - len(characters))


def end_of_word_marker(word_counts, num_merges):
    """You add an end-of-word marker that nobody asked for.

    Other descriptions of BPE append </w> to each word. Here a word is its characters.
    Outcome: WRONG
    """
    words = [([*word, "</w>"], n) for word, n in word_counts.items()]
    merges = []
    for _ in range(num_merges):
        totals = _count(words)
        if not totals:
            break
        merges.append(_smallest(totals))
        words = [(_merge(symbols, merges[-1]), n) for symbols, n in words]
    return merges


def bytes_not_characters(word_counts, num_merges):
    """You start from bytes instead of characters.

    A word's symbols are its code points, so "é" is one symbol, not two. Bytes are the topic
    of another kata.
    Outcome: WRONG
    """
    spelled = {word.encode().decode("latin-1"): n for word, n in word_counts.items()}
    return _recounting(spelled, num_merges)


def table_changed(word_counts, num_merges):
    """You change the table you were given.

    Words of one character teach nothing, but the dict belongs to the caller. Skip them, or
    work on a table of your own.
    Outcome: WRONG
    """
    for word in list(word_counts):
        if len(word) < 2:
            del word_counts[word]
    return _recounting(word_counts, num_merges)


# --- the trainers with an index: stats, where, and what goes wrong in them ------------


def _index(word_counts):
    words = [list(word) for word in word_counts]
    numbers = list(word_counts.values())
    stats, where = defaultdict(int), defaultdict(set)
    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            stats[pair] += numbers[i]
            where[pair].add(i)
    return words, numbers, stats, where


def _live(stats):
    return {pair: n for pair, n in stats.items() if n > 0}


def _update(words, numbers, stats, where, best):
    """A right round; returns the pairs whose count may have risen."""
    risen = set()
    for i in where.pop(best, ()):
        before = words[i]
        words[i] = _merge(before, best)
        for pair in pairwise(before):
            stats[pair] -= numbers[i]
        for pair in pairwise(words[i]):
            stats[pair] += numbers[i]
            where[pair].add(i)
            risen.add(pair)
    return risen


def tie_first_in_stats(word_counts, num_merges):
    """You let the pair that entered your counts first win a tie.

    `max(stats, key=stats.get)` keeps the first of equal counts, and a dict is walked through in
    the order of its insertions. Put the pair into the key: highest count, then smallest pair.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        merges.append(max(live, key=live.get))
        _update(words, numbers, stats, where, merges[-1])
    return merges


def old_neighbour_booked(word_counts, num_merges):
    """You book the left neighbour under its old symbol, although it was merged a moment ago.

    In a b a b the second merge has the new symbol ab on its left, not b. Read the left
    neighbour from the word you are building.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        left, right = best = _smallest(live)
        merges.append(best)
        del stats[best]
        for i in where.pop(best, ()):
            old, n, merged, j = words[i], numbers[i], [], 0
            while j < len(old):
                if j + 1 < len(old) and old[j] == left and old[j + 1] == right:
                    if j > 0:
                        stats[old[j - 1], left] -= n
                        stats[old[j - 1], left + right] += n
                        where[old[j - 1], left + right].add(i)
                    if j + 2 < len(old):
                        stats[right, old[j + 2]] -= n
                        stats[left + right, old[j + 2]] += n
                        where[left + right, old[j + 2]].add(i)
                    merged.append(left + right)
                    j += 2
                else:
                    merged.append(old[j])
                    j += 1
            words[i] = merged
        stats.pop(best, None)
    return merges


def new_pair_counted_twice(word_counts, num_merges):
    """You count a pair of two new symbols from both of its sides.

    In ab ab, just made from a b a b, the pair ("ab", "ab") is the right neighbour of one new
    symbol and the left neighbour of the other. Count positions, not neighbours.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        best = _smallest(live)
        merges.append(best)
        new = best[0] + best[1]
        for i in where.pop(best, ()):
            for pair in pairwise(words[i]):
                stats[pair] -= numbers[i]
            words[i] = symbols = _merge(words[i], best)
            for pair in pairwise(symbols):
                if new not in pair:
                    stats[pair] += numbers[i]
            for j, symbol in enumerate(symbols):
                if symbol != new:
                    continue
                if j > 0:
                    stats[symbols[j - 1], new] += numbers[i]
                    where[symbols[j - 1], new].add(i)
                if j + 1 < len(symbols):
                    stats[new, symbols[j + 1]] += numbers[i]
                    where[new, symbols[j + 1]].add(i)
        del stats[best]
    return merges


def between_merges_subtracted_twice(word_counts, num_merges):
    """You subtract the pair between two neighbouring merges twice.

    In a b a b the pair ("b", "a") is the right neighbour of the first merge and the left
    neighbour of the second, but it stands there once. After the first merge its left half
    has become ab.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        left, right = best = _smallest(live)
        merges.append(best)
        for i in where.pop(best, ()):
            old, n, j = words[i], numbers[i], 0
            while j + 1 < len(old):
                if (old[j], old[j + 1]) != best:
                    j += 1
                    continue
                if j > 0:
                    stats[old[j - 1], left] -= n
                if j + 2 < len(old):
                    stats[right, old[j + 2]] -= n
                j += 2
            words[i] = _merge(old, best)
            for pair in pairwise(words[i]):
                if left + right in pair:
                    stats[pair] += n
                    where[pair].add(i)
        del stats[best]
    return merges


def merged_pair_never_cleared(word_counts, num_merges):
    """You leave the merged pair in the counts, and it wins again.

    After a merge no word holds the pair any more. Take its count out when you take the pair.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        best = _smallest(live)
        merges.append(best)
        for i in where[best]:
            before = Counter(pairwise(words[i]))
            words[i] = _merge(words[i], best)
            after = Counter(pairwise(words[i]))
            for pair in before - after:
                if pair != best:
                    stats[pair] -= numbers[i] * (before[pair] - after[pair])
            for pair in after - before:
                stats[pair] += numbers[i] * (after[pair] - before[pair])
                where[pair].add(i)
    return merges


def overlap_left_behind(word_counts, num_merges):
    """You subtract the merged pair once per merge, and its overlaps stay counted.

    a a a holds ("a", "a") twice and is merged once. The second occurrence is gone as well;
    what is left of its count wins again later.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        best = _smallest(live)
        merges.append(best)
        for i in where[best].copy():
            old, n = words[i], numbers[i]
            words[i] = new = _merge(old, best)
            stats[best] -= n * (len(old) - len(new))
            for pair in pairwise(old):
                if pair != best:
                    stats[pair] -= n
            for pair in pairwise(new):
                stats[pair] += n
                where[pair].add(i)
    return merges


def subtracted_once_per_word(word_counts, num_merges):
    """You take a word's old pairs out once each, not once per position.

    A set of the old pairs forgets that a a a holds ("a", "a") twice. Subtract position by
    position, as you counted.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        best = _smallest(live)
        merges.append(best)
        for i in where.pop(best, ()):
            for pair in set(pairwise(words[i])):
                stats[pair] -= numbers[i]
            words[i] = _merge(words[i], best)
            for pair in pairwise(words[i]):
                stats[pair] += numbers[i]
                where[pair].add(i)
    return merges


def index_not_extended(word_counts, num_merges):
    """You enter a word into the index only under pairs that are new to the index.

    A merge in one word can make a pair that other words hold already. Its set has to get the
    index of this word too.
    Outcome: WRONG
    """
    words, numbers, stats, _ = _index(word_counts)
    where = {pair: {i for i, w in enumerate(words) if pair in pairwise(w)} for pair in stats}
    merges = []
    while len(merges) < num_merges and (live := _live(stats)):
        best = _smallest(live)
        merges.append(best)
        for i in where.pop(best, ()):
            for pair in pairwise(words[i]):
                stats[pair] -= numbers[i]
            words[i] = _merge(words[i], best)
            for pair in pairwise(words[i]):
                stats[pair] += numbers[i]
                if pair not in where:
                    where[pair] = {i}
        stats.pop(best, None)
    return merges


def evicted_too_early(word_counts, num_merges):
    """You drop a pair when its count touches zero, though the same word brings it back.

    All old pairs of a word go before its new ones come, so a pair that stays can touch zero in
    between. You drop its index then, and afterwards add only the pairs the word did not hold
    before. Decide about zero when the round is done.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    merges = []
    while len(merges) < num_merges and stats:
        best = _smallest(stats)
        merges.append(best)
        for i in list(where[best]):
            old = list(pairwise(words[i]))
            for pair in old:
                stats[pair] -= numbers[i]
                if stats[pair] == 0:
                    del stats[pair]
                    where.pop(pair, None)
            words[i] = _merge(words[i], best)
            new = list(pairwise(words[i]))
            for pair in new:
                stats[pair] += numbers[i]
            for pair in set(new) - set(old):
                where[pair].add(i)
    return merges


# --- the heap trainers ----------------------------------------------------------------


def stale_entry_dropped(word_counts, num_merges):
    """You throw a stale heap entry away, and with it a pair that still lives.

    A count that fell leaves its old entry in the heap. When you meet it, put the pair back
    with its true count; nobody else will.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    heap = [(-n, pair) for pair, n in stats.items()]
    heapify(heap)
    merges = []
    while heap and len(merges) < num_merges:
        promised, best = heappop(heap)
        if stats[best] != -promised:
            continue
        merges.append(best)
        new = best[0] + best[1]
        for pair in _update(words, numbers, stats, where, best):
            if new in pair:
                heappush(heap, (-stats[pair], pair))
    return merges


def stale_entry_believed(word_counts, num_merges):
    """You believe a heap entry whose count has fallen since.

    The heap keeps the count a pair had when it was pushed. Compare it with the count of today
    before you merge.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    heap = [(-n, pair) for pair, n in stats.items()]
    heapify(heap)
    merges = []
    while heap and len(merges) < num_merges:
        _, best = heappop(heap)
        if not stats[best]:
            continue
        merges.append(best)
        for pair in _update(words, numbers, stats, where, best):
            heappush(heap, (-stats[pair], pair))
    return merges


def merges_a_count_of_zero(word_counts, num_merges):
    """You merge pairs that no word holds any more.

    A pair can come and go within one round, or fall to zero later; its heap entry then agrees
    with its count, and both are zero. Check for zero before you merge.
    Outcome: WRONG
    """
    words, numbers, stats, where = _index(word_counts)
    heap = [(-n, pair) for pair, n in stats.items()]
    heapify(heap)
    merges = []
    while heap and len(merges) < num_merges:
        promised, best = heappop(heap)
        if stats[best] != -promised:
            heappush(heap, (-stats[best], best))
            continue
        merges.append(best)
        for pair in _update(words, numbers, stats, where, best):
            heappush(heap, (-stats[pair], pair))
    return merges


# --- right, but slow ------------------------------------------------------------------


def recounts_everything(word_counts, num_merges):
    """You count all words again in every round.

    That is right, and the first thing to write. To go on from here, keep the counts and an
    index from each pair to the words that hold it; a round then only visits those.
    Outcome: stretch
    """
    return _recounting(word_counts, num_merges)
