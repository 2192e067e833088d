"""Known wrong solutions of `train_byte_bpe`, each written the way people write it."""

import heapq
import mmap
import multiprocessing
import os
import re
import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise

import regex

_GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""


# --- what the trainers share: read, cut, split, learn, number -------------------------


def _read(path):
    with open(path, encoding="utf-8", errors="ignore", newline="") as file:
        return file.read()


def _cut(text, special_tokens):
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.split("|".join(map(re.escape, longest_first)), text)


def _split(pieces, pattern=_GPT2):
    return Counter(
        match.group().encode() for piece in pieces for match in regex.finditer(pattern, piece)
    )


def _number(special_tokens, merges):
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [token.encode() for token in special_tokens]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens))


def _room(vocab_size, special_tokens):
    return vocab_size - 256 - len(special_tokens)


def _symbols(pretoken):
    return tuple(bytes([byte]) for byte in pretoken)


def _merge(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return tuple(merged)


def _tables(pretokens):
    words, counts = list(map(_symbols, pretokens)), list(pretokens.values())
    stats, where = Counter(), defaultdict(set)
    for i, symbols in enumerate(words):
        for pair in pairwise(symbols):
            stats[pair] += counts[i]
            where[pair].add(i)
    return words, counts, stats, where


def _greatest(stats):
    return max(stats, key=lambda pair: (stats[pair], pair))


def _learn(pretokens, room, choose=_greatest):
    """A right trainer: keeps the counts, and only visits the words that hold the pair."""
    words, counts, stats, where = _tables(pretokens)
    merges = []
    while len(merges) < room and stats:
        best = choose(stats)
        merges.append(best)
        for i in where.pop(best):
            for pair in pairwise(words[i]):
                stats[pair] -= counts[i]
            words[i] = _merge(words[i], best)
            for pair in pairwise(words[i]):
                stats[pair] += counts[i]
                where[pair].add(i)
        stats = +stats
    return merges


def _train(text, vocab_size, special_tokens, cut=_cut, pattern=_GPT2, learn=_learn):
    """A right trainer, given the text, whose steps can be swapped for wrong ones."""
    pretokens = _split(cut(text, special_tokens), pattern)
    merges = learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


def _recount(pretokens, room, count=None, choose=_greatest, merge=_merge):
    """The plain trainer: count everything, choose, merge everywhere, again."""
    words = {word: _symbols(word) for word in pretokens}
    merges = []
    while len(merges) < room:
        stats = (count or _count)((symbols, pretokens[word]) for word, symbols in words.items())
        if not stats:
            break
        merges.append(choose(stats))
        words = {word: merge(symbols, merges[-1]) for word, symbols in words.items()}
    return merges


def _count(words):
    stats = Counter()
    for symbols, n in words:
        for pair in pairwise(symbols):
            stats[pair] += n
    return stats


# --- reading --------------------------------------------------------------------------


def text_mode_newlines(input_path, vocab_size, special_tokens):
    """You let text mode turn `\\r\\n` and `\\r` into `\\n`.

    `open` translates line ends unless told not to. Pass `newline=""`, or read bytes and decode
    them yourself.
    Outcome: WRONG
    """
    with open(input_path, encoding="utf-8", errors="ignore") as file:
        text = file.read()
    return _train(text, vocab_size, special_tokens)


def byte_order_mark_dropped(input_path, vocab_size, special_tokens):
    """You drop the byte order mark at the start of the file.

    The encoding `utf-8-sig` removes it. Here it is text like any other: use `utf-8`.
    Outcome: WRONG
    """
    with open(input_path, encoding="utf-8-sig", errors="ignore", newline="") as file:
        text = file.read()
    return _train(text, vocab_size, special_tokens)


def strict_decoding(input_path, vocab_size, special_tokens):
    """You stop at the first byte that is not valid UTF-8.

    Web text has such bytes. The statement says to ignore them: `errors="ignore"`.
    Outcome: RAISED
    """
    with open(input_path, encoding="utf-8", newline="") as file:
        text = file.read()
    return _train(text, vocab_size, special_tokens)


def replaces_invalid_bytes(input_path, vocab_size, special_tokens):
    """You learn from replacement characters.

    `errors="replace"` puts U+FFFD, three bytes, where an invalid byte was. The statement says to
    ignore such bytes: `errors="ignore"`.
    Outcome: WRONG
    """
    with open(input_path, "rb") as file:
        text = file.read().decode("utf-8", errors="replace")
    return _train(text, vocab_size, special_tokens)


def stops_at_invalid_byte(input_path, vocab_size, special_tokens):
    """You lose everything behind the first byte that is not valid UTF-8.

    The bytes are to be left out one by one, and reading goes on behind them.
    Outcome: WRONG
    """
    with open(input_path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data[: error.start].decode("utf-8")
    return _train(text, vocab_size, special_tokens)


def normalises_text(input_path, vocab_size, special_tokens):
    """You normalise the text before you learn from it.

    An e with an accent may be one code point or two, and these are different bytes. Take the
    text as it is.
    Outcome: WRONG
    """
    text = unicodedata.normalize("NFC", _read(input_path))
    return _train(text, vocab_size, special_tokens)


def line_by_line(input_path, vocab_size, special_tokens):
    """You split the file into lines before you split it into pre-tokens.

    A run of line ends is one pre-token, or belongs to one with the spaces that follow. Cut
    a large file only where the statement allows it.
    Outcome: WRONG
    """
    pretokens = Counter()
    with open(input_path, encoding="utf-8", errors="ignore", newline="") as file:
        for line in file:
            pretokens.update(_split(_cut(line, special_tokens)))
    merges = _learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


def strips_documents(input_path, vocab_size, special_tokens):
    """You strip the white space around each document.

    The spaces and line ends beside a special token are text, too. Split at the special tokens
    and nothing else.
    Outcome: WRONG
    """
    return _train(
        _read(input_path),
        vocab_size,
        special_tokens,
        cut=lambda text, tokens: [piece.strip() for piece in _cut(text, tokens)],
    )


def maps_an_empty_file(input_path, vocab_size, special_tokens):
    """You map the file into memory, which an empty file does not allow.

    `mmap` raises for a file of no bytes. Ask for its size first; there is nothing to learn.
    Outcome: RAISED
    """
    with open(input_path, "rb") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            text = data[:].decode("utf-8", errors="ignore")
    return _train(text, vocab_size, special_tokens)


def empty_file_crashes(input_path, vocab_size, special_tokens):
    """You divide an empty file among your workers.

    With no bytes there are no chunks, and with no chunks no workers: a pool of none cannot be
    made. Return early, or always have one chunk.
    Outcome: RAISED
    """
    text = _read(input_path)
    pieces = _cut(text, special_tokens)
    chunks = [pieces[i : i + 50] for i in range(0, len(pieces), 50)] if text else []
    with multiprocessing.get_context("fork").Pool(min(2, len(chunks))) as pool:
        pretokens = sum(pool.map(_split, chunks), Counter())
    merges = _learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


# --- chunks ---------------------------------------------------------------------------


def _count_chunk(task):
    path, start, end, special_tokens = task
    with open(path, "rb") as file:
        file.seek(start)
        text = file.read(end - start).decode("utf-8", errors="ignore")
    return _split(_cut(text, special_tokens))


def _pool(path, borders, vocab_size, special_tokens):
    tasks = [(path, start, end, special_tokens) for start, end in pairwise(borders)]
    pretokens = Counter()
    if len(tasks) == 1:
        pretokens = _count_chunk(tasks[0])
    else:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            for counted in pool.imap_unordered(_count_chunk, tasks):
                pretokens.update(counted)
    merges = _learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


def _guessed_borders(path, chunks, token):
    """Even borders, each moved on to the next occurrence of the token."""
    size = os.path.getsize(path)
    borders = [i * (size // chunks) for i in range(chunks)]
    with open(path, "rb") as file:
        data = file.read()
    found = (data.find(token, border) for border in borders[1:])
    return sorted({0, size, *(size if at < 0 else at for at in found)})


def hard_coded_delimiter(input_path, vocab_size, special_tokens):
    """You cut chunks at `<|endoftext|>`, whatever the special tokens are.

    If it is not in the list it is ordinary text, and a chunk that begins with it begins in the
    middle of a piece. Take the tokens you were given, and have an answer to there being none.
    Outcome: WRONG
    """
    size = os.path.getsize(input_path)
    borders = [0, size]
    if size > 8192:
        borders = _guessed_borders(input_path, 8, b"<|endoftext|>")
    return _pool(input_path, borders, vocab_size, special_tokens)


def only_endoftext_is_cut(input_path, vocab_size, special_tokens):
    """You cut the text at `<|endoftext|>` alone.

    The special tokens are the ones you are given; any string can be one, and that one need not.
    Outcome: WRONG
    """
    return _train(
        _read(input_path),
        vocab_size,
        special_tokens,
        cut=lambda text, tokens: text.split("<|endoftext|>"),
    )


def chunks_of_equal_size(input_path, vocab_size, special_tokens):
    """You cut the file every so many bytes.

    Such a border falls into words and into characters. A chunk may end only at a special token
    or before a space that follows a letter.
    Outcome: WRONG
    """
    pretokens = Counter()
    with open(input_path, "rb") as file:
        while chunk := file.read(8192):
            pretokens.update(_split(_cut(chunk.decode("utf-8", "ignore"), special_tokens)))
    merges = _learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


def border_inside_longer_token(input_path, vocab_size, special_tokens):
    """You look for the border of a chunk from the middle of the file.

    What you find there may be part of a longer special token, or overlap another, and then you
    cut that one in two. Only scanning from a known border tells.
    Outcome: WRONG
    """
    size = os.path.getsize(input_path)
    borders = [0, size]
    if size > 8192 and special_tokens:
        borders = _guessed_borders(input_path, 8, special_tokens[0].encode())
    return _pool(input_path, borders, vocab_size, special_tokens)


# --- special tokens -------------------------------------------------------------------


def special_tokens_in_list_order(input_path, vocab_size, special_tokens):
    """You try the special tokens in the order of the list.

    Where `<s>` and `<s>ab` both begin, a pattern takes the one that is written first. Sort them
    longest first before you join them.
    Outcome: WRONG
    """

    def cut(text, tokens):
        return re.split("|".join(map(re.escape, tokens)), text) if tokens else [text]

    return _train(_read(input_path), vocab_size, special_tokens, cut=cut)


def special_tokens_one_by_one(input_path, vocab_size, special_tokens):
    """You cut out one special token after the other.

    The first one takes parts of others that begin before it or are longer. Look for all of
    them at once, from left to right.
    Outcome: WRONG
    """

    def cut(text, tokens):
        pieces = [text]
        for token in tokens:
            pieces = [part for piece in pieces for part in piece.split(token)]
        return pieces

    return _train(_read(input_path), vocab_size, special_tokens, cut=cut)


def joined_empty_pattern(input_path, vocab_size, special_tokens):
    """You join an empty list of special tokens into a pattern that matches everywhere.

    `"|".join([])` is the empty pattern, and `split` then cuts between any two characters, so
    there is nothing left to learn. Without special tokens the text is one piece.
    Outcome: WRONG
    """

    def cut(text, tokens):
        longest_first = sorted(tokens, key=len, reverse=True)
        return regex.split("|".join(map(regex.escape, longest_first)), text)

    return _train(_read(input_path), vocab_size, special_tokens, cut=cut)


def needs_a_special_token(input_path, vocab_size, special_tokens):
    """You take the first special token of an empty list.

    The list may be empty. Then the text is one piece, and there is no delimiter to look for.
    Outcome: RAISED
    """
    end_of_text = special_tokens[0]
    longest_first = sorted(special_tokens[1:] + [end_of_text], key=len, reverse=True)
    pieces = re.split("|".join(map(re.escape, longest_first)), _read(input_path))
    merges = _learn(_split(pieces), _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


def special_tokens_not_escaped(input_path, vocab_size, special_tokens):
    """You read the special tokens as patterns.

    In a pattern `.`, `|`, `(` and `[` have a meaning, so `a.b` also cuts out `axb`. Escape each
    token before you join them.
    Outcome: WRONG
    """

    def cut(text, tokens):
        longest_first = sorted(tokens, key=len, reverse=True)
        return re.split("|".join(longest_first), text) if tokens else [text]

    return _train(_read(input_path), vocab_size, special_tokens, cut=cut)


def special_text_is_learned(input_path, vocab_size, special_tokens):
    """You learn from the text of the special tokens.

    They get an id and then take part in nothing else. Cut them out before you split the text
    into pre-tokens.
    Outcome: WRONG
    """
    return _train(_read(input_path), vocab_size, special_tokens, cut=lambda text, tokens: [text])


def special_token_kept_as_piece(input_path, vocab_size, special_tokens):
    """You keep the special tokens among the pieces and learn from them.

    A pattern in parentheses makes `split` return what it cut at, too. Leave out the
    parentheses, or drop those pieces.
    Outcome: WRONG
    """

    def cut(text, tokens):
        if not tokens:
            return [text]
        longest_first = sorted(tokens, key=len, reverse=True)
        return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)

    return _train(_read(input_path), vocab_size, special_tokens, cut=cut)


def special_tokens_deleted(input_path, vocab_size, special_tokens):
    """You delete the special tokens and join what was on their two sides.

    The last word of one document and the first of the next become one. Split at the special
    tokens and handle each piece by itself.
    Outcome: WRONG
    """
    return _train(
        _read(input_path),
        vocab_size,
        special_tokens,
        cut=lambda text, tokens: ["".join(_cut(text, tokens))],
    )


def ascii_special_tokens(input_path, vocab_size, special_tokens):
    """You only allow special tokens of ASCII characters.

    A special token may hold any character; its bytes are its UTF-8 encoding.
    Outcome: RAISED
    """
    by_bytes = sorted((token.encode("ascii") for token in special_tokens), key=len, reverse=True)
    longest_first = [token.decode() for token in by_bytes]
    return _train(
        _read(input_path), vocab_size, special_tokens, lambda t, _: _cut(t, longest_first)
    )


def special_tokens_sorted_in_place(input_path, vocab_size, special_tokens):
    """You sort the list of special tokens you were given.

    It is the caller's list, and its order is the order of the ids. Sort a copy: `sorted(…)`.
    Outcome: WRONG
    """
    special_tokens.sort(key=len, reverse=True)
    return _train(_read(input_path), vocab_size, special_tokens)


# --- pre-tokens -----------------------------------------------------------------------


def bytes_pattern(input_path, vocab_size, special_tokens):
    """You match the pattern on bytes.

    There `\\p{L}` knows the letters of ASCII only, so other letters become signs. Match on
    text, and encode each pre-token afterwards.
    Outcome: WRONG
    """
    pattern = regex.compile(_GPT2.encode())
    pretokens = Counter(
        match.group()
        for piece in _cut(_read(input_path), special_tokens)
        for match in pattern.finditer(piece.encode())
    )
    merges = _learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


def word_characters(input_path, vocab_size, special_tokens):
    """You use `re` and `\\w`, because `re` does not know `\\p{L}`.

    `\\w` takes letters, digits and the underscore together. The pattern needs the `regex` module.
    Outcome: WRONG
    """
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+"
    return _train(_read(input_path), vocab_size, special_tokens, pattern=pattern)


def splits_on_white_space(input_path, vocab_size, special_tokens):
    """You split the text into words at white space.

    The pattern keeps the space in front of a word with the word, so that `low` and ` low` differ,
    and cuts punctuation off. Use it as it is written.
    Outcome: WRONG
    """
    return _train(_read(input_path), vocab_size, special_tokens, pattern=r"\S+")


def lookahead_left_out(input_path, vocab_size, special_tokens):
    """You left out `\\s+(?!\\S)`.

    It leaves the last of several spaces to the word that follows. Without it the whole run is
    one pre-token and the word has no space.
    Outcome: WRONG
    """
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+"
    return _train(_read(input_path), vocab_size, special_tokens, pattern=pattern)


def contractions_in_capitals(input_path, vocab_size, special_tokens):
    """You let contractions match in capitals, too.

    That is the pattern of a later model. In this one `DON'T` is `DON`, `'`, `T`.
    Outcome: WRONG
    """
    pattern = _GPT2.replace("(?:", "(?i:", 1)
    return _train(_read(input_path), vocab_size, special_tokens, pattern=pattern)


def curly_apostrophe(input_path, vocab_size, special_tokens):
    """You take a curly apostrophe for a straight one.

    The pattern knows contractions with `'` only, so a word with U+2019 comes apart in three.
    Outcome: WRONG
    """
    pattern = _GPT2.replace("'", "['\u2019]", 1)
    return _train(_read(input_path), vocab_size, special_tokens, pattern=pattern)


def merges_across_pretokens(input_path, vocab_size, special_tokens):
    """You learn pairs that reach from one pre-token into the next.

    The pattern is there to keep words apart. Count and merge within each pre-token.
    Outcome: WRONG
    """
    pretokens = Counter(piece.encode() for piece in _cut(_read(input_path), special_tokens))
    merges = _learn(pretokens, _room(vocab_size, special_tokens))
    return _number(special_tokens, merges), merges


# --- choosing -------------------------------------------------------------------------


def _choosing(input_path, vocab_size, special_tokens, choose):
    def learn(pretokens, room):
        return _learn(pretokens, room, choose)

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def tie_smallest(input_path, vocab_size, special_tokens):
    """You let the smallest pair win a tie.

    That is the rule of `train_bpe`. Here the greatest wins: `max` over `(count, pair)`.
    Outcome: WRONG
    """
    return _choosing(
        input_path,
        vocab_size,
        special_tokens,
        lambda stats: min(stats, key=lambda pair: (-stats[pair], pair)),
    )


def tie_first_seen(input_path, vocab_size, special_tokens):
    """You let the pair you met first win a tie.

    `max(stats, key=stats.get)` keeps the first of equal counts. Put the pair into the key.
    Outcome: WRONG
    """
    return _choosing(
        input_path, vocab_size, special_tokens, lambda stats: max(stats, key=stats.get)
    )


def tie_joined(input_path, vocab_size, special_tokens):
    """You break ties on the joined bytes instead of the pair.

    `a` and `bb` join to more than `ab` and `a` do, but the second pair is the greater, because
    `ab` is greater than `a`. Compare left with left, then right with right.
    Outcome: WRONG
    """
    return _choosing(
        input_path,
        vocab_size,
        special_tokens,
        lambda stats: max(stats, key=lambda pair: (stats[pair], pair[0] + pair[1])),
    )


def tie_longest(input_path, vocab_size, special_tokens):
    """You let the longest pair win a tie.

    Length has no say: compare the bytes, left with left, then right with right.
    Outcome: WRONG
    """
    return _choosing(
        input_path,
        vocab_size,
        special_tokens,
        lambda stats: max(stats, key=lambda p: (stats[p], len(p[0] + p[1]), p)),
    )


def tie_decoded(input_path, vocab_size, special_tokens):
    """You compare tied pairs as decoded text.

    Half a character decodes to nothing when errors are ignored, so different pairs look alike
    and the first one wins. Compare the bytes.
    Outcome: WRONG
    """

    def text(token):
        return token.decode("utf-8", errors="ignore")

    return _choosing(
        input_path,
        vocab_size,
        special_tokens,
        lambda stats: max(stats, key=lambda p: (stats[p], text(p[0]), text(p[1]))),
    )


def tie_by_printable_text(input_path, vocab_size, special_tokens):
    """You compare tied pairs in the printable spelling of GPT-2.

    It writes a space as U+0120 and other bytes as letters far up, so that the order is another.
    Compare the bytes.
    Outcome: WRONG
    """
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    shifted = [byte for byte in range(256) if byte not in plain]
    spelling = {byte: byte for byte in plain}
    spelling.update((byte, 256 + i) for i, byte in enumerate(shifted))

    def text(token):
        return [spelling[byte] for byte in token]

    return _choosing(
        input_path,
        vocab_size,
        special_tokens,
        lambda stats: max(stats, key=lambda p: (stats[p], text(p[0]), text(p[1]))),
    )


def tie_by_ids(input_path, vocab_size, special_tokens):
    """You break ties on the ids of the tokens.

    A token learned later has the greater id, whatever its bytes. Look the bytes up and compare
    those.
    Outcome: WRONG
    """

    def learn(pretokens, room):
        ids = {bytes([byte]): byte for byte in range(256)}

        def choose(stats):
            best = max(stats, key=lambda p: (stats[p], ids[p[0]], ids[p[1]]))
            ids[best[0] + best[1]] = len(ids)
            return best

        return _learn(pretokens, room, choose)

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def tie_by_negated_bytes(input_path, vocab_size, special_tokens):
    """You negate the bytes to turn a heap around, which sorts prefixes the wrong way.

    Of `a` and `ab` the longer is the greater, but as lists of negated bytes the shorter one is
    smaller and comes out first. End each list with a mark that is greater than any of them, or
    give the heap a class with its own `__lt__`.
    Outcome: WRONG
    """

    def negated(token):
        return tuple(-byte for byte in token)

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        heap = [(-n, negated(p[0]), negated(p[1]), p) for p, n in stats.items()]
        heapq.heapify(heap)
        merges = []
        while heap and len(merges) < room:
            n, *_, pair = heapq.heappop(heap)
            if stats[pair] != -n or n == 0:
                continue
            merges.append(pair)
            touched = set()
            for i in where.pop(pair):
                for old in pairwise(words[i]):
                    stats[old] -= counts[i]
                    touched.add(old)
                words[i] = _merge(words[i], pair)
                for new in pairwise(words[i]):
                    stats[new] += counts[i]
                    where[new].add(i)
                    touched.add(new)
            for p in touched:
                heapq.heappush(heap, (-stats[p], negated(p[0]), negated(p[1]), p))
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def varies_with_hash_seed(input_path, vocab_size, special_tokens):
    """You let the order of a set decide a tie.

    The order of a set of bytes changes with PYTHONHASHSEED, from run to run. Put the pair into
    the key you compare.
    Outcome: WRONG
    """

    def choose(stats):
        most = max(stats.values())
        return next(iter({pair for pair, n in stats.items() if n == most}))

    return _choosing(input_path, vocab_size, special_tokens, choose)


def stops_at_count_one(input_path, vocab_size, special_tokens):
    """You stop when the best pair occurs only once.

    A pair that occurs once is merged like any other, as long as the vocab has room.
    Outcome: WRONG
    """

    def learn(pretokens, room):
        merges = _learn(pretokens, room)
        words = {word: _symbols(word) for word in pretokens}
        for at, pair in enumerate(merges):
            stats = _count((symbols, pretokens[word]) for word, symbols in words.items())
            if stats[pair] < 2:
                return merges[:at]
            words = {word: _merge(symbols, pair) for word, symbols in words.items()}
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def rare_words_dropped(input_path, vocab_size, special_tokens):
    """You leave out the pre-tokens that occur only once.

    There are many of them, and together their pairs count. Keep every pre-token.
    Outcome: WRONG
    """

    def learn(pretokens, room):
        return _learn(Counter({word: n for word, n in pretokens.items() if n > 1}), room)

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


# --- counting and merging -------------------------------------------------------------


def _recounting(input_path, vocab_size, special_tokens, **steps):
    def learn(pretokens, room):
        return _recount(pretokens, room, **steps)

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def recounts_every_word(input_path, vocab_size, special_tokens):
    """You count all words again for each merge.

    The merges are right, but the time grows with the number of words, most of which do not hold
    the pair. Keep the counts, and for each pair the words that hold it.
    Outcome: WRONG
    """
    return _recounting(input_path, vocab_size, special_tokens)


def walks_through_every_word(input_path, vocab_size, special_tokens):
    """You keep the counts, but look for the pair in every word.

    Most words do not hold it. Keep an index: for each pair, the words it was seen in.
    Outcome: WRONG
    """

    def learn(pretokens, room):
        words, counts, stats, _ = _tables(pretokens)
        merges = []
        while len(merges) < room and stats:
            merges.append(_greatest(stats))
            for i, old in enumerate(words):
                words[i] = _merge(old, merges[-1])
                if words[i] != old:
                    for pair in pairwise(old):
                        stats[pair] -= counts[i]
                    for pair in pairwise(words[i]):
                        stats[pair] += counts[i]
            stats = +stats
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def counts_not_weighted(input_path, vocab_size, special_tokens):
    """You count each distinct pre-token once.

    A pair counts as often as its pre-tokens occur in the text. Multiply by their counts.
    Outcome: WRONG
    """

    def count(words):
        return _count((symbols, 1) for symbols, _ in words)

    return _recounting(input_path, vocab_size, special_tokens, count=count)


def counted_once_per_word(input_path, vocab_size, special_tokens):
    """You count a pair once for each pre-token, however often it holds it.

    Every position counts: `abab` has the pair of `a` and `b` twice.
    Outcome: WRONG
    """

    def count(words):
        stats = Counter()
        for symbols, n in words:
            for pair in set(pairwise(symbols)):
                stats[pair] += n
        return stats

    return _recounting(input_path, vocab_size, special_tokens, count=count)


def overlaps_not_counted(input_path, vocab_size, special_tokens):
    """You count a run of one symbol as it will be merged.

    Every position counts, overlaps included: `aaa` has the pair of `a` and `a` twice, although
    it can be merged only once.
    Outcome: WRONG
    """

    def count(words):
        stats = Counter()
        for symbols, n in words:
            previous = None
            for pair in pairwise(symbols):
                overlaps = pair == previous and pair[0] == pair[1]
                previous = None if overlaps else pair
                stats[pair] += 0 if overlaps else n
        return stats

    return _recounting(input_path, vocab_size, special_tokens, count=count)


def overlapping_merges(input_path, vocab_size, special_tokens):
    """You use a symbol for two merges at once.

    In `aaa` the middle one belongs to the first merge, and the last one stays alone. After
    a merge go on two places further.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        merged, i = [], 0
        while i < len(symbols):
            if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
                merged.append(symbols[i] + symbols[i + 1])
                i += 2 if symbols[i + 1 : i + 3] != pair else 1
            else:
                merged.append(symbols[i])
                i += 1
        return tuple(merged)

    return _recounting(input_path, vocab_size, special_tokens, merge=merge)


def last_symbol_lost(input_path, vocab_size, special_tokens):
    """You lose the last symbol of a word.

    A loop over the places that have a right neighbour never reaches the last one. If it was not
    merged, it still has to be copied.
    Outcome: WRONG
    """

    def merge(symbols, pair):
        merged, i = [], 0
        while i < len(symbols) - 1:
            hit = (symbols[i], symbols[i + 1]) == pair
            merged.append(symbols[i] + symbols[i + 1] if hit else symbols[i])
            i += 1 + hit
        return tuple(merged) if len(merged) > 0 else symbols

    return _recounting(input_path, vocab_size, special_tokens, merge=merge)


# --- keeping the counts ---------------------------------------------------------------


class _Descending:
    """A heap entry: the most frequent pair first, the greatest among equals."""

    __slots__ = ("count", "pair")

    def __init__(self, count, pair):
        self.count, self.pair = count, pair

    def __lt__(self, other):
        return (self.count, self.pair) > (other.count, other.pair)


def _with_heap(input_path, vocab_size, special_tokens, update):
    """A trainer with a lazy heap. `update` merges in one word and says which counts changed."""

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        heap = [_Descending(n, pair) for pair, n in stats.items()]
        heapq.heapify(heap)
        merges = []
        while heap and len(merges) < room:
            top = heapq.heappop(heap)
            if top.count <= 0 or stats[top.pair] != top.count:
                continue
            pair = top.pair
            merges.append(pair)
            changes = Counter()
            for i in where.pop(pair, ()):
                words[i] = update(words[i], pair, counts[i], changes)
                for new in pairwise(words[i]):
                    where[new].add(i)
            stats.pop(pair, None)
            changes.pop(pair, None)
            for changed, by in changes.items():
                stats[changed] += by
                heapq.heappush(heap, _Descending(stats[changed], changed))
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def old_neighbour_booked(input_path, vocab_size, special_tokens):
    """You book the pair with the left neighbour as it was before the merge.

    In `abab` the left neighbour of the second `ab` is the first `ab`, made a moment ago, and not
    `b`. Read the left neighbour from the word you are building.
    Outcome: WRONG
    """

    def update(old, pair, n, changes):
        new, i, joined = [], 0, pair[0] + pair[1]
        while i < len(old):
            if old[i : i + 2] != pair:
                new.append(old[i])
                i += 1
                continue
            if i > 0:
                changes[old[i - 1], pair[0]] -= n
                changes[old[i - 1], joined] += n
            if i + 2 < len(old):
                changes[pair[1], old[i + 2]] -= n
                changes[joined, old[i + 2]] += n
            new.append(joined)
            i += 2
        return tuple(new)

    return _with_heap(input_path, vocab_size, special_tokens, update)


def new_pair_counted_twice(input_path, vocab_size, special_tokens):
    """You count two merges side by side from both sides.

    `abab` becomes one pair of `ab` and `ab`. It is the right neighbour of the first and the left
    neighbour of the second; book it once.
    Outcome: WRONG
    """

    def update(old, pair, n, changes):
        new = _merge(old, pair)
        joined = pair[0] + pair[1]
        for lost in pairwise(old):
            changes[lost] -= n
        for i, symbol in enumerate(new):
            if symbol == joined:
                if i > 0:
                    changes[new[i - 1], joined] += n
                if i + 1 < len(new):
                    changes[joined, new[i + 1]] += n
        for kept in pairwise(new):
            if joined not in kept:
                changes[kept] += n
        return new

    return _with_heap(input_path, vocab_size, special_tokens, update)


def double_decrement(input_path, vocab_size, special_tokens):
    """You subtract the pair between two merges twice.

    In `abab` the pair of `b` and `a` lies right of the first `ab` and left of the second. It
    occurs once, so it can be lost only once.
    Outcome: WRONG
    """

    def update(old, pair, n, changes):
        i = 0
        while i < len(old) - 1:
            if old[i : i + 2] != pair:
                i += 1
                continue
            if i > 0:
                changes[old[i - 1], old[i]] -= n
            if i + 2 < len(old):
                changes[old[i + 1], old[i + 2]] -= n
            i += 2
        new = _merge(old, pair)
        for gained in pairwise(new):
            if pair[0] + pair[1] in gained:
                changes[gained] += n
        return new

    return _with_heap(input_path, vocab_size, special_tokens, update)


def stale_entry_dropped(input_path, vocab_size, special_tokens):
    """You throw away a heap entry whose count has fallen, and with it the pair.

    When an entry promises too much, the pair is still there with a lower count. Push it again
    with the true one, or push at each change.
    Outcome: WRONG
    """

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        heap = [_Descending(n, pair) for pair, n in stats.items()]
        heapq.heapify(heap)
        merges = []
        while heap and len(merges) < room:
            top = heapq.heappop(heap)
            if stats[top.pair] != top.count or not top.count:
                continue
            merges.append(top.pair)
            risen = set()
            for i in where.pop(top.pair):
                before = Counter(pairwise(words[i]))
                words[i] = _merge(words[i], top.pair)
                after = Counter(pairwise(words[i]))
                for pair in before | after:
                    stats[pair] += (after[pair] - before[pair]) * counts[i]
                    if after[pair] > before[pair]:
                        risen.add(pair)
                        where[pair].add(i)
            for pair in risen:
                heapq.heappush(heap, _Descending(stats[pair], pair))
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def _with_max(input_path, vocab_size, special_tokens, update):
    """A trainer that keeps counts and index. `update` handles one word of a merge."""

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        merges = []
        while len(merges) < room and stats and max(stats.values()) > 0:
            best = _greatest(stats)
            merges.append(best)
            for i in list(where[best]):
                old, new = words[i], _merge(words[i], best)
                words[i] = new
                update(i, best, old, new, counts[i], stats, where)
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def merged_pair_wins_again(input_path, vocab_size, special_tokens):
    """You never clear the count of the pair you merged.

    You change the counts of its neighbours only, so it stays the most frequent and wins again.
    After a merge it occurs nowhere: delete it.
    Outcome: WRONG
    """

    def update(i, merged, old, new, n, stats, where):
        before, after = Counter(pairwise(old)), Counter(pairwise(new))
        for pair in before | after:
            if pair != merged:
                stats[pair] += (after[pair] - before[pair]) * n
                where[pair].add(i)

    return _with_max(input_path, vocab_size, special_tokens, update)


def subtracted_once_per_word(input_path, vocab_size, special_tokens):
    """You subtract a pair once for each word, however often the word held it.

    The counts were added position by position and have to be subtracted position by position:
    `aaa` loses the pair of `a` and `a` twice.
    Outcome: WRONG
    """

    def update(i, merged, old, new, n, stats, where):
        for pair in set(pairwise(old)):
            stats[pair] -= n
        for pair in pairwise(new):
            stats[pair] += n
            where[pair].add(i)

    return _with_max(input_path, vocab_size, special_tokens, update)


def index_not_extended(input_path, vocab_size, special_tokens):
    """You index a new pair only the first time you see it.

    Another word that comes to hold it has to be added to its words, or it is missed when the
    pair is merged.
    Outcome: WRONG
    """

    def update(i, merged, old, new, n, stats, where):
        for pair in pairwise(old):
            stats[pair] -= n
        for pair in pairwise(new):
            stats[pair] += n
            if pair not in where:
                where[pair] = {i}

    return _with_max(input_path, vocab_size, special_tokens, update)


def early_eviction(input_path, vocab_size, special_tokens):
    """You drop a pair at zero before the word's new pairs are added.

    A pair can vanish from one place and stand at another in the same word. It is then back in
    the counts but missing in the index. Decide about zero when all is added.
    Outcome: WRONG
    """

    def update(i, merged, old, new, n, stats, where):
        for pair in pairwise(old):
            stats[pair] -= n
            if stats[pair] == 0:
                del stats[pair]
                where.pop(pair, None)
        for pair in pairwise(new):
            stats[pair] += n
        for pair in set(pairwise(new)) - set(pairwise(old)):
            where[pair].add(i)
        for pair in set(pairwise(old)) - set(pairwise(new)):
            where[pair].discard(i)

    return _with_max(input_path, vocab_size, special_tokens, update)


# --- where to stop --------------------------------------------------------------------


def pairs_run_out_crash(input_path, vocab_size, special_tokens):
    """You ask for the best of no pairs.

    A short text runs out of pairs before the vocab is full, and then `max` raises. Stop when
    there is nothing left to count.
    Outcome: RAISED
    """

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        merges = []
        for _ in range(room):
            best = max(stats, key=lambda pair: (stats[pair], pair))
            merges.append(best)
            for i in where.pop(best):
                for pair in pairwise(words[i]):
                    stats[pair] -= counts[i]
                words[i] = _merge(words[i], best)
                for pair in pairwise(words[i]):
                    stats[pair] += counts[i]
                    where[pair].add(i)
            stats = +stats
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def merges_at_count_zero(input_path, vocab_size, special_tokens):
    """You go on merging pairs that occur nowhere any more.

    Their entries are still in the table with the count zero, and when all others are gone, they
    win. Delete a pair at zero, or stop when the best count is zero.
    Outcome: WRONG
    """

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        merges = []
        while len(merges) < room and stats:
            best = _greatest(stats)
            merges.append(best)
            for i in list(where[best]):
                for pair in pairwise(words[i]):
                    stats[pair] -= counts[i]
                words[i] = _merge(words[i], best)
                for pair in pairwise(words[i]):
                    stats[pair] += counts[i]
                    where[pair].add(i)
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)


def vocab_size_ignored(input_path, vocab_size, special_tokens):
    """You merge until no pair is left, whatever the vocab size is.

    Training ends at `vocab_size` ids, those of the bytes and the special tokens among them.
    Outcome: WRONG
    """
    merges = _learn(_split(_cut(_read(input_path), special_tokens)), 10**9)
    return _number(special_tokens, merges), merges


def special_tokens_not_in_size(input_path, vocab_size, special_tokens):
    """You leave the special tokens out when you count the ids.

    They have ids, too: there is room for `vocab_size - 256 - len(special_tokens)` merges.
    Outcome: WRONG
    """
    pretokens = _split(_cut(_read(input_path), special_tokens))
    merges = _learn(pretokens, vocab_size - 256)
    return _number(special_tokens, merges), merges


def one_merge_too_many(input_path, vocab_size, special_tokens):
    """You make one merge more than there is room for.

    Look at the test of your loop when the vocab holds `vocab_size` ids: it has to end then.
    Outcome: WRONG
    """
    pretokens = _split(_cut(_read(input_path), special_tokens))
    merges = _learn(pretokens, _room(vocab_size, special_tokens) + 1)
    return _number(special_tokens, merges), merges


def no_room_refused(input_path, vocab_size, special_tokens):
    """You refuse a vocab size that leaves no room for a merge.

    Then there are no merges, and the vocab is the bytes and the special tokens.
    Outcome: RAISED
    """
    if vocab_size <= 256 + len(special_tokens):
        raise ValueError("vocab_size is too small")
    return _train(_read(input_path), vocab_size, special_tokens)


def no_room_cuts_vocab(input_path, vocab_size, special_tokens):
    """You cut the vocab down to a size that is too small for it.

    All bytes and all special tokens have their ids in any case.
    Outcome: WRONG
    """
    vocab, merges = _train(_read(input_path), vocab_size, special_tokens)
    return {i: token for i, token in vocab.items() if i < vocab_size}, merges


def one_merge_without_room(input_path, vocab_size, special_tokens):
    """You merge once before you look whether there is room.

    Test for room before the first merge as before every other.
    Outcome: WRONG
    """
    pretokens = _split(_cut(_read(input_path), special_tokens))
    merges = _learn(pretokens, max(1, _room(vocab_size, special_tokens)))
    return _number(special_tokens, merges), merges


# --- what is returned -----------------------------------------------------------------


def _right_merges(input_path, vocab_size, special_tokens):
    return _train(_read(input_path), vocab_size, special_tokens)[1]


def special_tokens_get_first_ids(input_path, vocab_size, special_tokens):
    """Your merges are right, but you give the special tokens the first ids.

    Others do so. Here the bytes come first, so that a byte is its own id; then the special
    tokens, then the merges.
    Outcome: WRONG
    """
    merges = _right_merges(input_path, vocab_size, special_tokens)
    tokens = [token.encode() for token in special_tokens]
    tokens += [bytes([byte]) for byte in range(256)]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens)), merges


def special_tokens_get_last_ids(input_path, vocab_size, special_tokens):
    """Your merges are right, but you give the special tokens the last ids.

    Others do so. Here they come between the bytes and the merges.
    Outcome: WRONG
    """
    merges = _right_merges(input_path, vocab_size, special_tokens)
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [left + right for left, right in merges]
    tokens += [token.encode() for token in special_tokens]
    return dict(enumerate(tokens)), merges


def special_ids_longest_first(input_path, vocab_size, special_tokens):
    """Your merges are right, but you number the special tokens by length.

    Longest first is the order to match them in. Their ids follow the list you were given.
    Outcome: WRONG
    """
    merges = _right_merges(input_path, vocab_size, special_tokens)
    return _number(sorted(special_tokens, key=len, reverse=True), merges), merges


def one_id_for_equal_bytes(input_path, vocab_size, special_tokens):
    """You keep one id for tokens of equal bytes.

    A special token `a` has the bytes of the letter and still an id of its own. A table from bytes
    to ids cannot hold both; count the ids, not the entries.
    Outcome: WRONG
    """
    merges = _right_merges(input_path, vocab_size, special_tokens)
    ids = {token: i for i, token in _number(special_tokens, merges).items()}
    return {i: token for token, i in ids.items()}, merges


def vocab_from_bytes_to_ids(input_path, vocab_size, special_tokens):
    """You return a vocab from bytes to ids.

    It maps the other way: an id to the bytes of its token.
    Outcome: WRONG
    """
    vocab, merges = _train(_read(input_path), vocab_size, special_tokens)
    return {token: i for i, token in vocab.items()}, merges


def merges_of_ids(input_path, vocab_size, special_tokens):
    """You return the merges as pairs of ids.

    They are pairs of byte strings here: the tokens that were joined.
    Outcome: WRONG
    """
    vocab, merges = _train(_read(input_path), vocab_size, special_tokens)
    ids = {token: i for i, token in reversed(vocab.items())}
    return vocab, [(ids[left], ids[right]) for left, right in merges]


def merges_split_at_newlines(input_path, vocab_size, special_tokens):
    """You keep the merges as lines of text, and a token may hold a line end.

    A line end, a tab or a space can be part of any token. Keep tuples of bytes.
    Outcome: WRONG
    """
    vocab, merges = _train(_read(input_path), vocab_size, special_tokens)
    lines = "\n".join(f"{a.decode('latin-1')}\t{b.decode('latin-1')}" for a, b in merges)
    rows = [line.split("\t") for line in lines.split("\n")]
    pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
    return vocab, [(a.encode("latin-1"), b.encode("latin-1")) for a, b in pairs]


# --- time -----------------------------------------------------------------------------


def long_pretoken_quadratic(input_path, vocab_size, special_tokens):
    """You build a new word for each place of a merge.

    Where a pre-token is very long and holds the pair often, each place costs as much as the
    whole word. Go through the word once and copy it as you go.
    Outcome: stretch
    """

    def learn(pretokens, room):
        words, counts, stats, where = _tables(pretokens)
        merges = []
        while len(merges) < room and stats:
            best = _greatest(stats)
            merges.append(best)
            for i in where.pop(best):
                word, k = words[i], 0
                for pair in pairwise(word):
                    stats[pair] -= counts[i]
                while k + 1 < len(word):
                    if word[k : k + 2] == best:
                        word = word[:k] + (best[0] + best[1],) + word[k + 2 :]
                    k += 1
                for pair in pairwise(word):
                    stats[pair] += counts[i]
                    where[pair].add(i)
                words[i] = word
            stats = +stats
        return merges

    return _train(_read(input_path), vocab_size, special_tokens, learn=learn)
