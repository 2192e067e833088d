"""Merge and update (research, 35 minutes).

Write the function below, then check it with

    kata run merge_and_update
"""


def merge_and_update(
    words: list[list[str]],
    counts: list[int],
    stats: dict[tuple[str, str], int],
    where: dict[tuple[str, str], set[int]],
    pair: tuple[str, str],
) -> list[int]:
    """Merge one pair in a trainer's state, and keep the state true without recounting.

    The state describes a table of words. A symbol is a non-empty string, a pair is two symbols
    side by side in one word:

    - `words[i]` is word i, a list of symbols, possibly of none; `counts[i]` is how often it
      occurs, a positive integer that may be huge.
    - `stats` maps every pair that occurs to its count: over all words and all positions in them,
      overlaps included, the sum of the words' counts. It has no other keys.
    - `where` maps every pair that occurs to a set with the index of each word that holds it.
      It may be out of date in one way: it may list a word under a pair that the word no longer
      holds. Such an entry is called stale. A pair may have nothing but stale entries, or none.

    Merge `pair`: in every word that holds it, from left to right and without overlaps, replace
    the two symbols by one, their concatenation (a a a becomes aa a). Update `words`, `stats` and
    `where` themselves, so that the description above is true again. Return the indices of the
    words that changed, in a sorted list.

    - When you are graded, `words` is no ordinary list. It offers `len(words)`, `words[i]` and
      `words[i] = symbols`, and nothing else: loops, slices, `in` and the like raise TypeError.
      You may read or assign only the words that `where[pair]` lists when the call begins; any
      other index, or a negative one, fails the case. You may edit the list you get from
      `words[i]` in place, or assign a new one.
    - A stale word, listed in `where[pair]` without holding the pair, does not change and is not
      returned. If `pair` is not in `where` at all, nothing changes and the result is [].
    - `stats` must be exact in the end: no pair is missing, none has the count zero.
    - `where` may have stale entries and empty sets in the end, and may keep or drop `pair`. But
      the only indices a call may add to it are those that `where[pair]` listed.
    - Symbols are compared whole: the word xa b, of the symbols "xa" and "b", does not hold the
      pair ("a", "b"). The merged symbol may already exist in some words, and words that were
      different may become equal; they stay separate.
    - `counts` is left as it was. `stats` and `where` are ordinary dicts.

    >>> words, counts = [["a", "b", "a", "b"], ["c", "a"]], [2, 3]
    >>> stats = {("a", "b"): 4, ("b", "a"): 2, ("c", "a"): 3}
    >>> where = {("a", "b"): {0}, ("b", "a"): {0}, ("c", "a"): {1}}
    >>> merge_and_update(words, counts, stats, where, ("a", "b"))
    [0]
    >>> words
    [['ab', 'ab'], ['c', 'a']]
    >>> stats == {("c", "a"): 3, ("ab", "ab"): 2}
    True
    >>> where["ab", "ab"], where["c", "a"]
    ({0}, {1})
    >>> words, stats, where = [["a", "a", "a"]], {("a", "a"): 4}, {("a", "a"): {0}}
    >>> merge_and_update(words, [2], stats, where, ("a", "a"))
    [0]
    >>> words, stats
    ([['aa', 'a']], {('aa', 'a'): 2})
    """
    raise NotImplementedError
