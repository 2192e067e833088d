"""Encode a word (interview, 20 minutes).

Write the function below, then check it with

    kata run encode_bpe
"""


def encode_bpe(word: str, merges: list[tuple[str, str]]) -> list[str]:
    """Split a word into the symbols that a list of learned merges gives.

    Training has left a list of merges, each a pair of symbols, in the order in which they
    were learned. The index of a merge is its rank: rank 0 was learned first. Encoding
    repeats on a new word what training did to the words of its corpus.

    Start with the characters of `word` as symbols. Then repeat:

    1. Look at all pairs of adjacent symbols. Of those that are merges, take the one of
       lowest rank, wherever in the word it stands.
    2. If that pair stands at several places, take the leftmost.
    3. Replace the two symbols there by one, their concatenation.

    Stop when no pair of adjacent symbols is a merge. Return the symbols as a `list` of
    `str`, in order.

    - The rank decides, and nothing else: not the length of a symbol, not its place in the
      word, not how few symbols come out at the end.
    - A character that no merge mentions stays a symbol of its own. It may be any
      character, also a space.
    - Joined together, the symbols are always exactly `word`. An empty word gives `[]`, and
      with an empty list of merges the answer is the characters.
    - `merges` is always a list that training can produce, and has no pair twice. On such a
      list it makes no difference whether you merge one place at a time, as above, or all
      places of the lowest-ranked pair at once, from left to right. Both are accepted.

    Do not change `merges`.

    Stretch, the next question in an interview: let the word have 100,000 characters, all
    of them one letter or all of them random, with thousands of merges. Can you answer
    within seconds?

    The merges below were learned from the words tea, teas, eat, eats, seat and set. On the
    way through `steat` the word reads `s t ea t`. There `("t", "ea")` stands further left,
    but `("ea", "t")` has the lower rank, so the answer ends in `eat`.

    >>> merges = [("e", "a"), ("ea", "t"), ("t", "ea"), ("s", "eat"), ("e", "t"), ("eat", "s")]
    >>> encode_bpe("seats", merges)
    ['seat', 's']
    >>> encode_bpe("steat", merges)
    ['s', 't', 'eat']
    >>> encode_bpe("eats!", merges)
    ['eats', '!']
    """
    raise NotImplementedError
