"""Count adjacent pairs (warm-up, 5 minutes).

Write the function below, then check it with

    kata run pair_counts
"""


def pair_counts(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """Count the pairs of adjacent symbols in a table of words.

    Byte-pair encoding learns by asking one question again and again: which two symbols
    stand side by side most often? This function collects the numbers for the answer.

    `words` maps each distinct word of a text to its count: how often the text has it. A
    word is a tuple of symbols, and a symbol is a non-empty string. At the start of
    training each symbol is one character; later they are longer. `("l", "ow", "er")` is a
    word of three symbols, and its pairs are `("l", "ow")` and `("ow", "er")`.

    Return a dict that maps each pair to its total count:

    - Every position in a word adds the count of that word to the pair that stands there.
    - Overlaps count. `("a", "a", "a")` has the pair `("a", "a")` at two positions.
    - A pair lies inside one word. The end of a word and the start of the next are no pair.
    - Order matters: `("a", "b")` and `("b", "a")` are different pairs.
    - Symbols are compared whole: `("ab", "c")` and `("a", "bc")` are different pairs too,
      although both spell `abc`.
    - A word of one symbol, or of none, has no pairs. An empty table gives `{}`.
    - A pair that occurs nowhere is not a key: no total is zero.

    Counts are positive integers and can be huge (10**15), so the time you take must not
    depend on them. Do not change `words`. Return a `dict` (a `Counter` or a `defaultdict`
    is one too) whose keys are tuples of two `str` and whose values are `int`. The order
    of its keys does not matter.

    >>> pair_counts({("l", "o", "w"): 5, ("l", "o", "t"): 2}) == {
    ...     ("l", "o"): 7, ("o", "w"): 5, ("o", "t"): 2}
    True
    >>> pair_counts({("a", "a", "a"): 2})
    {('a', 'a'): 4}
    >>> pair_counts({("ab", "c"): 2, ("a", "b", "c"): 3}) == {
    ...     ("ab", "c"): 2, ("a", "b"): 3, ("b", "c"): 3}
    True
    """
    raise NotImplementedError
