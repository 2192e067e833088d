"""Right solutions of `train_byte_bpe`, each built another way; all of them must pass."""

import heapq
import mmap
import multiprocessing
import os
import re
from collections import Counter, OrderedDict, defaultdict
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain, pairwise

import regex

GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""


# --- incremental, one process ---------------------------------------------------------


def maximum_of_kept_counts(input_path, vocab_size, special_tokens):
    """Reads the file whole, keeps the counts, and scans all pairs for the best with `max`."""
    with open(input_path, encoding="utf-8", errors="ignore", newline="") as file:
        words = _counted(file.read(), special_tokens)
    merges = _learn(words, vocab_size - 256 - len(special_tokens))
    return _vocab(special_tokens, merges), merges


def _pieces(text, special_tokens):
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.split("|".join(map(re.escape, longest_first)), text)


def _counted(text, special_tokens):
    return Counter(
        match.group().encode("utf-8")
        for piece in _pieces(text, special_tokens)
        for match in regex.finditer(GPT2, piece)
    )


def _vocab(special_tokens, merges):
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    for left, right in merges:
        vocab[len(vocab)] = left + right
    return vocab


def _learn(pretokens, num_merges):
    words = [[bytes([byte]) for byte in word] for word in pretokens]
    counts = list(pretokens.values())
    stats, where = Counter(), defaultdict(set)
    for i, word in enumerate(words):
        for pair in pairwise(word):
            stats[pair] += counts[i]
            where[pair].add(i)
    merges = []
    while len(merges) < num_merges and stats:
        best = max(stats, key=lambda pair: (stats[pair], pair))
        merges.append(best)
        for i in where.pop(best):
            for pair in pairwise(words[i]):
                stats[pair] -= counts[i]
                if not stats[pair]:
                    del stats[pair]
            words[i] = _merged(words[i], best)
            for pair in pairwise(words[i]):
                stats[pair] += counts[i]
                where[pair].add(i)
    return merges


def _merged(word, pair):
    out, i = [], 0
    while i < len(word):
        width = 2 if tuple(word[i : i + 2]) == pair else 1
        out.append(b"".join(word[i : i + width]))
        i += width
    return out


@dataclass(slots=True)
class _Entry:
    """A heap entry; the first of the heap is the most frequent, then the greatest pair."""

    count: int
    pair: tuple[bytes, bytes]

    def __lt__(self, other):
        return (self.count, self.pair) > (other.count, other.pair)


def lazy_heap(input_path, vocab_size, special_tokens):
    """Maps the file, pushes every changed count on a heap and drops stale entries."""
    text = ""
    if os.path.getsize(input_path):
        with open(input_path, "rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            text = data[:].decode("utf-8", errors="ignore")
            data.close()
    table = [(tuple(word[i : i + 1] for i in range(len(word))), n)
             for word, n in _counted(text, special_tokens).items()]  # fmt: skip
    stats, where = defaultdict(int), defaultdict(set)
    for i, (word, n) in enumerate(table):
        for pair in pairwise(word):
            stats[pair] += n
            where[pair].add(i)
    heap = [_Entry(count, pair) for pair, count in stats.items()]
    heapq.heapify(heap)
    vocab, merges = _vocab(special_tokens, []), []
    while heap and len(vocab) < vocab_size:
        entry = heapq.heappop(heap)
        if stats[entry.pair] != entry.count or not entry.count:
            continue
        merges.append(entry.pair)
        vocab[len(vocab)] = entry.pair[0] + entry.pair[1]
        changes = defaultdict(int)
        for i in sorted(where[entry.pair]):
            word, n = table[i]
            new = tuple(_merged(word, entry.pair))
            table[i] = (new, n)
            for pair in pairwise(word):
                changes[pair] -= n
            for pair in pairwise(new):
                changes[pair] += n
                where[pair].add(i)
        for pair, change in changes.items():
            if change:
                stats[pair] += change
                heapq.heappush(heap, _Entry(stats[pair], pair))
    return vocab, merges


def linked_occurrences(input_path, vocab_size, special_tokens):
    """One array of ids for all words, linked both ways; a merge visits single places."""
    with open(input_path, "rb") as file:
        words = _counted(file.read().decode("utf-8", "ignore"), special_tokens)
    spelled = [bytes([i]) for i in range(256)]
    ids, weight, before, after = [], [], [], []
    for word, n in words.items():
        start = len(ids)
        ids += word
        weight += [n] * len(word)
        before += [-1, *range(start, len(ids) - 1)]
        after += [*range(start + 1, len(ids)), -1]
    stats, places = Counter(), defaultdict(set)

    def book(left, right, sign):
        if left < 0 or right < 0:
            return
        pair = (ids[left], ids[right])
        stats[pair] += sign * weight[left]
        if sign > 0:
            places[pair].add(left)
        else:
            places[pair].discard(left)

    for place, following in enumerate(after):
        book(place, following, 1)
    learned = []
    while len(learned) < vocab_size - 256 - len(special_tokens):
        best = max(
            (pair for pair in stats if stats[pair] > 0),
            key=lambda pair: (stats[pair], spelled[pair[0]], spelled[pair[1]]),
            default=None,
        )
        if best is None:
            break
        learned.append(best)
        spelled.append(spelled[best[0]] + spelled[best[1]])
        for place in sorted(places[best]):
            gone = after[place]
            if gone < 0 or (ids[place], ids[gone]) != best:
                continue
            left, right = before[place], after[gone]
            book(left, place, -1)
            book(place, gone, -1)
            book(gone, right, -1)
            ids[place], ids[gone] = len(spelled) - 1, -1
            after[place] = right
            if right >= 0:
                before[right] = place
            book(left, place, 1)
            book(place, right, 1)
        stats = +stats
    merges = [(spelled[left], spelled[right]) for left, right in learned]
    return _vocab(special_tokens, merges), merges


def sorted_by_count(input_path, vocab_size, special_tokens):
    """Groups the pairs by their count and takes the greatest of the highest group."""
    trainer = _Grouped()
    with open(input_path, "rb") as file:
        trainer.feed(file.read().decode("utf-8", "ignore"), special_tokens)
    merges = list(trainer.merges(max(0, vocab_size - 256 - len(special_tokens))))
    tokens = [*(bytes([i]) for i in range(256)), *(token.encode() for token in special_tokens)]
    tokens.extend(left + right for left, right in merges)
    return OrderedDict(enumerate(tokens)), merges


@dataclass
class _Grouped:
    words: dict = field(default_factory=dict)  # spelled as a tuple -> count
    stats: dict = field(default_factory=dict)
    groups: dict = field(default_factory=lambda: defaultdict(set))
    index: dict = field(default_factory=lambda: defaultdict(set))

    def feed(self, text, special_tokens):
        for word, n in _counted(text, special_tokens).items():
            self.place(tuple(bytes([byte]) for byte in word), n)

    def place(self, word, n):
        self.words[word] = self.words.get(word, 0) + n
        for pair, times in Counter(pairwise(word)).items():
            self.index[pair].add(word)
            self.change(pair, n * times)

    def remove(self, word):
        n = self.words.pop(word)
        for pair, times in Counter(pairwise(word)).items():
            self.index[pair].discard(word)
            self.change(pair, -n * times)
        return n

    def change(self, pair, n):
        old = self.stats.pop(pair, 0)
        self.groups[old].discard(pair)
        if old + n:
            self.stats[pair] = old + n
            self.groups[old + n].add(pair)

    def merges(self, room):
        for _ in range(room):
            self.groups = defaultdict(set, {n: group for n, group in self.groups.items() if group})
            if not self.groups:
                return
            best = max(self.groups[max(self.groups)])
            yield best
            for word in list(self.index[best]):
                n = self.remove(word)
                self.place(tuple(_merged(word, best)), n)


# --- several processes ----------------------------------------------------------------


def pool_over_chunks(input_path, vocab_size, special_tokens):
    """Cuts the file at special tokens, found from the left, for a `Pool` that reads it again."""
    room = vocab_size - 256 - len(special_tokens)
    if room <= 0:
        return _vocab(special_tokens, []), []
    tasks = [(input_path, *chunk, special_tokens) for chunk in _chunks(input_path, special_tokens)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        words = sum(pool.map(_count_chunk, tasks), Counter())
    merges = _learn(words, room)
    return _vocab(special_tokens, merges), merges


def _chunks(path, special_tokens, size=4096):
    """Chunks of at least `size` bytes that end with a special token."""
    with open(path, "rb") as file:
        data = file.read()
    start = 0
    if special_tokens:
        longest_first = sorted((token.encode() for token in special_tokens), key=len, reverse=True)
        for match in re.finditer(b"|".join(map(re.escape, longest_first)), data):
            if match.end() - start >= size:
                yield start, match.end()
                start = match.end()
    yield start, len(data)


def _count_chunk(task):
    path, start, end, special_tokens = task
    with open(path, "rb") as file:
        file.seek(start)
        return _counted(file.read(end - start).decode("utf-8", "ignore"), special_tokens)


def executor_over_documents(input_path, vocab_size, special_tokens):
    """Sends batches of documents to a `ProcessPoolExecutor`."""
    with open(input_path, encoding="utf-8", errors="ignore", newline="") as file:
        documents = _pieces(file.read(), special_tokens)
    batches = [documents[i::2] for i in range(2)]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        counted = executor.map(_count_documents, batches)
    words = reduce(lambda total, each: total + each, counted, Counter())
    merges = _learn(words, vocab_size - 256 - len(special_tokens))
    return _vocab(special_tokens, merges), merges


def _count_documents(documents):
    return Counter(
        word.encode() for word in chain.from_iterable(regex.findall(GPT2, d) for d in documents)
    )


def processes_and_a_queue(input_path, vocab_size, special_tokens):
    """Cuts before a space that follows a letter; plain processes answer through a queue."""
    with open(input_path, encoding="utf-8", errors="ignore", newline="") as file:
        text = file.read()
    borders = [0]
    for match in regex.finditer(r"\p{L}(?= )", text):
        spans = any(match.group() + " " in token for token in special_tokens)
        if match.end() - borders[-1] > 5000 and not spans:
            borders.append(match.end())
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    blocks = [text[start:end] for start, end in pairwise([*borders, len(text)])]
    workers = [
        context.Process(target=_answer, args=(queue, blocks[i::2], special_tokens))
        for i in range(2)
    ]
    for worker in workers:
        worker.start()
    words = Counter()
    for _ in workers:
        words.update(queue.get())
    for worker in workers:
        worker.join()
    merges = _learn(words, vocab_size - 256 - len(special_tokens))
    return _vocab(special_tokens, merges), merges


def _answer(queue, blocks, special_tokens):
    words = Counter()
    for block in blocks:
        words.update(_counted(block, special_tokens))
    queue.put(words)


def threads_over_documents(input_path, vocab_size, special_tokens):
    """Counts the documents in threads, each into a counter of its own."""
    with open(input_path, "rb") as file:
        documents = _pieces(file.read().decode("utf-8", "ignore"), special_tokens)
    with ThreadPoolExecutor(3) as executor:
        counted = executor.map(_count_documents, [documents[i::3] for i in range(3)])
        words = sum(counted, Counter())
    merges = _learn(words, vocab_size - 256 - len(special_tokens))
    return _vocab(special_tokens, merges), merges
