"""Train a byte-level BPE (capstone, 90 minutes).

Write the function below, then check it with

    kata run train_byte_bpe
"""


def train_byte_bpe(
    input_path: str, vocab_size: int, special_tokens: list[str]
) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    r"""Train a byte-level BPE tokenizer on a text file; return its vocab and its merges.

    Read. The file at `input_path` is UTF-8. Bytes that are not valid UTF-8 are ignored, and
    nothing else is changed: `\r\n` stays two characters, and a byte order mark is text.

    Cut. `special_tokens` holds distinct, non-empty strings, or nothing. The text is first cut at
    every special token in it, found from left to right; where several begin at one place, the
    longest counts. Each is taken literally: `.`, `|` and `(` mean themselves. Nothing is learned
    from a special token or across one.

    Split. What lies between is split into pre-tokens by the pattern of GPT-2, which needs the
    `regex` module:

        '(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

    Merge. A pre-token starts as its UTF-8 bytes, one symbol each; two symbols side by side in
    one pre-token are a pair. Then, in each round:

    1. Count every pair over all pre-tokens of the text, at every position, overlaps included.
    2. Pick the pair with the highest count. If several share it, pick the greatest of them in
       Python's order of tuples of bytes. (`train_bpe` picks the smallest. Both rules are in
       use, so always ask.)
    3. Add the pair to the merges and merge it in every pre-token, from left to right and
       without overlaps: a a a becomes aa a.

    Stop when the vocab has `vocab_size` ids, or when no pair is left, and for no other reason:
    a pair that occurs only once is still merged.

    The merges are tuples of two byte strings, in the order they were learned. The vocab maps
    ids to byte strings: 0 to 255 are the single bytes in order; then come the special tokens in
    the order given; then the merges, left and right joined. Two ids may have equal bytes: a
    special token `a` has its own. Where `vocab_size` leaves no room for merges there are none,
    and the vocab still has every byte and every special token.

    - The result is the same for any number of processes, any chunks and any PYTHONHASHSEED.
    - You may use `multiprocessing` with its start method `fork`, and write to the working
      directory. `special_tokens` is left as it was.
    - A chunk may end at a special token, if you found it scanning left to right from a known
      border: one found from the middle may overlap another or lie inside a longer one. It may
      also end before a space that follows a letter, if no special token can reach across.
    - What a merge costs must not grow with the number of words it leaves alone. To look through
      all distinct pairs for the best one is fine; to look through all words is not.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> corpus = Path(mkdtemp(), "corpus.txt")
    >>> _ = corpus.write_text(" the" * 5 + " then" * 2 + " cat" * 3 + " hat")
    >>> vocab, merges = train_byte_bpe(str(corpus), 263, ["<|endoftext|>"])
    >>> [left + right for left, right in merges]
    [b'th', b'the', b' the', b'at', b'cat', b' cat']
    >>> vocab[97], vocab[256], vocab[257]
    (b'a', b'<|endoftext|>', b'th')
    >>> _ = corpus.write_text("<s>ab<s>ab<s>ab<s>zz")
    >>> train_byte_bpe(str(corpus), 259, ["<s>", "<s>ab"])[1]
    [(b'z', b'z')]
    >>> _ = corpus.write_text("")  # nothing to learn from
    >>> train_byte_bpe(str(corpus), 300, ["<|endoftext|>"])[1]
    []
    """
    raise NotImplementedError
