"""Count the pre-tokens block by block, then merge by looking only at what changes.

Counting streams the file, in several processes when it is large, and keeps a table of the
distinct pre-tokens. Merging works on that table alone, and rests on one fact: a pair is born
when the younger of its two tokens is made, and after that its count can only fall. So its
places and its count are written down once, at birth, and a pair that starts out too rare to
matter is not written down at all.
"""

import multiprocessing
import os
import signal
import sys
import time
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise

import regex

PRETOKEN = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")

BLOCK = 1 << 20  # characters to count at a time
LARGE = 4 << 20  # bytes from which a file is worth several processes
MAX_PROCESSES = 8  # this one has to add up what the others count

# While merging, a token is one character, `chr(id)`, and a word a string of them: then one call
# replaces a pair. (Special tokens have no such id, and there is room for 1,114,112 others.)
END = "\xff"  # stands between words: the byte 0xFF does not occur in UTF-8
WORDS_PER_ROW = 16


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
    progress = Progress()
    merges: list[tuple[bytes, bytes]] = []
    room = vocab_size - 256 - len(special_tokens)
    if room > 0:
        pretokens = count_pretokens(input_path, special_tokens, progress)
        merges = learn_merges(pretokens, room, progress)
    tokens = [bytes([value]) for value in range(256)]
    tokens += [special.encode() for special in special_tokens]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens)), merges


# --- counting -------------------------------------------------------------------------


def count_pretokens(path: str, special_tokens: list[str], progress: "Progress") -> Counter[str]:
    """How often each distinct pre-token occurs in the file."""
    counts: Counter[str] = Counter()
    count = partial(count_block, special_tokens=special_tokens)
    with block_mapper(os.path.getsize(path)) as map_blocks:
        for counted in map_blocks(count, read_blocks(path, special_tokens, progress)):
            counts.update(counted)
    return counts


@contextmanager
def block_mapper(size: int) -> Iterator[Callable]:
    """The built-in `map`, or that of a pool when the file is large and processes can be had."""
    pool = None
    if size >= LARGE:
        processes = min(os.cpu_count() or 1, MAX_PROCESSES)
        # Ctrl-C is left to this process, which then ends the others.
        ignore_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
        with suppress(ImportError, OSError, ValueError):  # no semaphores, processes or `fork`
            pool = multiprocessing.get_context("fork").Pool(processes, ignore_ctrl_c)
    if pool is None:
        yield map
    else:
        with pool:
            yield pool.imap_unordered


def read_blocks(path: str, special_tokens: list[str], progress: "Progress") -> Iterator[str]:
    """The text in blocks that can be counted apart from each other."""
    size = os.path.getsize(path)
    text = ""
    with open(path, encoding="utf-8", errors="ignore", newline="") as file:
        while more := file.read(BLOCK + len(text)):
            progress(f"read {file.buffer.tell() / 1e6:,.0f} of {size / 1e6:,.0f} MB")
            text += more
            border = last_border(text, special_tokens)
            yield text[:border]
            text = text[border:]
    yield text


def last_border(text: str, special_tokens: list[str]) -> int:
    """The last place, as far as it is cheap to find, where the text can be cut; 0 if none."""
    border = last_word_end(text, special_tokens)
    if special_tokens and border < len(text) // 2:
        border = max(border, last_special_end(text, special_tokens))
    return border


def last_word_end(text: str, special_tokens: list[str]) -> int:
    """The last space that follows a letter, where no special token can reach across.

    Every pre-token that holds the letter ends there, whatever comes before or after.
    """
    border = text.rfind(" ")
    while border > 0:
        seam = text[border - 1 : border + 1]
        if seam[0].isalpha() and not any(seam in special for special in special_tokens):
            return border
        border = text.rfind(" ", 0, border)
    return 0


def last_special_end(text: str, special_tokens: list[str]) -> int:
    """The end of the last special token that stays one, whatever the text goes on with.

    Found from the left: what looks like one from anywhere else may be a part of another.
    """
    end = 0
    decided = len(text) - max(map(len, special_tokens))  # later on, a longer one could begin
    for match in any_special(special_tokens).finditer(text):
        if match.start() > decided:
            break
        end = match.end()
    return end


def any_special(special_tokens: list[str]) -> regex.Pattern:
    """Matches a special token, the longest of those that begin at the same place."""
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, longest_first)))


def count_block(text: str, special_tokens: list[str]) -> Counter[str]:
    """How often each pre-token occurs in a block."""
    # Without special tokens the pattern would be empty, and match between any two characters.
    pieces = any_special(special_tokens).split(text) if special_tokens else [text]
    counts: Counter[str] = Counter()
    for piece in pieces:
        counts.update(PRETOKEN.findall(piece))
    return counts


# --- merging --------------------------------------------------------------------------


def learn_merges(
    pretokens: Counter[str], room: int, progress: "Progress"
) -> list[tuple[bytes, bytes]]:
    """Up to `room` merges, in order. Empties `pretokens`, so that no word is held twice."""
    tokens = [bytes([value]) for value in range(256)]
    merges: list[tuple[bytes, bytes]] = []
    floor = likely_floor(pretokens.total(), room)
    rows, counts = pack(pretokens)
    while len(merges) < room and floor:
        table = PairTable(rows, counts, floor)
        queue = PairQueue(table.stats, tokens)
        while len(merges) < room and (pair := queue.pop()):
            progress(f"{len(merges):,} of {room:,} merges")
            left, right = (tokens[ord(token)] for token in pair)
            merges.append((left, right))
            tokens.append(left + right)
            for born in table.merge(pair, chr(len(tokens) - 1)):
                queue.push(born)
        floor //= 4  # the pairs above it have run out
    return merges


def likely_floor(total: int, room: int) -> int:
    """A power of 4 that the count of the last merge is not likely to be below.

    Most pairs never come near being merged; below the floor they are not tracked. A floor too
    high costs a second table, one too low some memory, and neither changes the merges.
    """
    floor = 1
    while 4 * floor <= total / (16 * room):
        floor *= 4
    return floor


def pack(pretokens: Counter[str]) -> tuple[list[str], list[int]]:
    """The words in rows, each of a few words that share a count, and the counts of the rows."""
    same_count = defaultdict(list)
    while pretokens:
        pretoken, count = pretokens.popitem()
        same_count[count].append(pretoken.encode().decode("latin-1"))  # a character per byte
    rows, counts = [], []
    for count, words in same_count.items():
        words.sort()  # words that look alike share a row, and then its visits
        for start in range(0, len(words), WORDS_PER_ROW):
            rows.append(END + END.join(words[start : start + WORDS_PER_ROW]) + END)
            counts.append(count)
    return rows, counts


class PairTable:
    """For each pair that counts at least `floor`: its count, and where it is.

    `where[pair]` has the index of a row once for every time the row held the pair when the pair
    was born, so the count is the sum of the rows' counts over that list. Later, it may name
    rows that have lost the pair.
    """

    def __init__(self, rows: list[str], counts: list[int], floor: int) -> None:
        self.rows, self.counts, self.floor = rows, counts, floor
        where: dict[str, list[int]] = defaultdict(list)
        for index, row in enumerate(rows):
            for left, right in pairwise(row):
                where[left + right].append(index)
        stats = {pair: self.weigh(at) for pair, at in where.items() if END not in pair}
        self.stats = {pair: count for pair, count in stats.items() if count >= floor}
        self.where = {pair: where[pair] for pair in self.stats}

    def weigh(self, indices: list[int]) -> int:
        return sum(map(self.counts.__getitem__, indices))

    def merge(self, pair: str, new: str) -> list[str]:
        """Write `new` for `pair` everywhere; return the pairs born of it, with counts final."""
        stats, where = self.stats, self.where
        lefts, rights = self.replace(pair, new)
        first, second = pair
        # Rights first: in abab the second merge takes away the (new, a) made by the first.
        moves = [(second + right, new + right, at) for right, at in rights.items()]
        moves += [(left + first, left + new, at) for left, at in lefts.items()]
        del stats[pair], where[pair]
        for old, born, at in moves:
            stats[born], where[born] = self.weigh(at), at
            if old in stats:
                stats[old] -= stats[born]
        for old, born, _ in moves:
            for changed in (old, born):
                if stats.get(changed, self.floor) < self.floor:
                    del stats[changed], where[changed]
        return [born for _, born, _ in moves if born in stats]

    def replace(self, pair: str, new: str) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Write `new` for `pair`; return its neighbours, left and right, each with its rows."""
        rows = self.rows
        lefts: dict[str, list[int]] = defaultdict(list)
        rights: dict[str, list[int]] = defaultdict(list)
        for index in dict.fromkeys(self.where[pair]):
            pieces = rows[index].split(pair)
            if len(pieces) == 1:
                continue
            rows[index] = new.join(pieces)
            # As if merged one by one from the left: what is left of the pair may be `new`
            # already, what is right of it is not merged yet.
            before, *between, after = pieces
            for piece in between:
                lefts[before[-1]].append(index)
                rights[piece[:1] or pair[0]].append(index)
                before = piece or new
            lefts[before[-1]].append(index)
            rights[after[0]].append(index)
        lefts.pop(END, None)
        rights.pop(END, None)
        return lefts, rights


class PairQueue:
    """The pairs in the order they are merged: by count, then the greatest bytes first.

    A pair is filed under the count it is born with, and looked up again when its turn comes;
    if its count has fallen by then, it is filed anew, lower. No pair is born with more than the
    pair just merged had, so the turn only ever passes downwards.
    """

    def __init__(self, stats: dict[str, int], tokens: list[bytes]) -> None:
        self.stats, self.tokens = stats, tokens
        self.count = 0  # whose turn it is: the pairs filed under this count,
        self.turn: list[str] = []  # the greatest last
        self.filed: dict[int, list[str]] = defaultdict(list)  # the others, by lower counts
        self.counts: list[int] = []  # the keys of `filed`, negated, as a heap
        for pair in stats:
            self.push(pair)

    def push(self, pair: str) -> None:
        count = self.stats[pair]
        if count == self.count:
            insort(self.turn, pair, key=self.bytes_of)
        else:
            if count not in self.filed:
                heappush(self.counts, -count)
            self.filed[count].append(pair)

    def pop(self) -> str | None:
        """The next pair; None when there is no other."""
        while self.turn or self.counts:
            if not self.turn:
                self.count = -heappop(self.counts)
                self.turn = sorted(self.filed.pop(self.count), key=self.bytes_of)
            pair = self.turn.pop()
            if self.stats.get(pair) == self.count:
                return pair
            if pair in self.stats:
                self.push(pair)
        return None

    def bytes_of(self, pair: str) -> tuple[bytes, bytes]:
        left, right = pair
        return self.tokens[ord(left)], self.tokens[ord(right)]


class Progress:
    """Says on stderr how far the work is: after a second, and then once a second."""

    def __init__(self) -> None:
        self.due = time.monotonic() + 1

    def __call__(self, message: str) -> None:
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + 1
            end = "\r" if sys.stderr.isatty() else "\n"
            print(f"{message:40}", end=end, file=sys.stderr, flush=True)
