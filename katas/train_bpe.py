"""Train BPE (interview, 25 minutes).

Write the function below, then check it with

    kata run train_bpe
"""


def train_bpe(word_counts: dict[str, int], num_merges: int) -> list[tuple[str, str]]:
    """Learn up to `num_merges` merges from a table of words and their counts.

    `word_counts` maps each word, a non-empty string, to how often it occurs. Every word
    starts as a sequence of its characters. These, and what they are merged into, are called
    symbols; two symbols side by side in one word are a pair. Then, in each round:

    1. Count every pair over all words. Every position counts, overlaps included, and counts
       as many times as its word occurs: in {"aaa": 2} the pair ("a", "a") has the count 4.
    2. Pick the pair with the highest count. If several share it, pick the smallest of them in
       Python's order of tuples: ("a", "b") goes before ("aa", "a"), ("e", "t") before
       ("eat", "s").
    3. Add the pair to the result and merge it in every word, from left to right and without
       overlaps: its two symbols become one, their concatenation. Merging ("a", "a") turns
       a a a into aa a. A symbol made in this round is not merged again in this round.

    Stop after `num_merges` rounds, or as soon as no word has two symbols left. There is no
    other reason to stop: a pair that occurs only once is still merged. Return the merges in
    the order they were learned, a list of tuples of two strings.

    - A pair lies within one word, never across two.
    - Symbols are compared whole. The word xa b, of the symbols "xa" and "b", does not hold the
      pair ("a", "b").
    - Counts are positive integers and may be huge; keep them exact.
    - Words may hold any character. A character is one code point of the string.
    - `num_merges` is zero or more. With zero merges, with an empty table, or with words of one
      character only, the result is [].
    - The order of the dict and PYTHONHASHSEED make no difference to the result.
    - `word_counts` is left as it was.

    >>> table = {"tea": 6, "teas": 2, "eat": 5, "eats": 3, "seat": 4, "set": 3}
    >>> train_bpe(table, 4)
    [('e', 'a'), ('ea', 't'), ('t', 'ea'), ('s', 'eat')]
    >>> train_bpe(table, 100)[4:]  # rounds 5 and 6 are ties; after round 8 nothing is left
    [('e', 't'), ('eat', 's'), ('s', 'et'), ('tea', 's')]
    >>> train_bpe({"aaabdaaabac": 1}, 3)
    [('a', 'a'), ('a', 'b'), ('aa', 'ab')]
    """
    raise NotImplementedError
