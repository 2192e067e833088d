"""Merge one pair (core, 10 minutes).

Write the function below, then check it with

    kata run merge_pair
"""


def merge_pair(symbols: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Replace each occurrence of a pair by one joined symbol.

    This is the step that training and encoding share: once a pair has been chosen, every
    word is rewritten with the pair as a single symbol.

    `symbols` is one word as a tuple of symbols; it may be empty. `pair` is a tuple of two
    symbols, the left and the right one. A symbol is a non-empty string of any length and
    may hold any character, spaces included.

    Read from left to right. Where the left symbol of the pair is directly followed by the
    right one, put their concatenation in place of the two, and read on behind them:

    - Every occurrence is merged, not only the first.
    - A symbol is used once, so occurrences never overlap, and the left one goes first:
      merging `("a", "a")` turns `("a", "a", "a")` into `("aa", "a")`, and four of them
      into `("aa", "aa")`.
    - It is one pass. A symbol that you have just made takes no part in another merge of
      the same call.
    - Symbols match whole, never as text. Merging `("a", "b")` leaves `("xa", "b")` and
      `("ab",)` as they are; merging `("ab", "c")` leaves `("a", "bc")` as it is.
    - All other symbols stay as they are, in their order.

    Return a `tuple` of `str`, also when nothing matches and when `symbols` is empty.
    Joined to one text, it reads the same as before.

    >>> merge_pair(("b", "a", "n", "a", "n", "a"), ("a", "n"))
    ('b', 'an', 'an', 'a')
    >>> merge_pair(("a", "a", "a", "a", "a"), ("a", "a"))
    ('aa', 'aa', 'a')
    >>> merge_pair(("te", "s", "t"), ("e", "s"))
    ('te', 's', 't')
    """
    raise NotImplementedError
