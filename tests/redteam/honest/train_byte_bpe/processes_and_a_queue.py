"""Processes of its own with a queue, an event and a pipe."""

import multiprocessing
from collections import Counter

import regex

PATTERN = regex.compile(
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)


def parts(text, special_tokens):
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return regex.split("|".join(map(regex.escape, longest_first)), text)


def learn(table, special_tokens, vocab_size):
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode()
    words = {word: [bytes([b]) for b in word.encode()] for word in table}
    merges = []
    while len(vocab) < vocab_size:
        counts = Counter()
        for word, symbols in words.items():
            for pair in zip(symbols, symbols[1:]):
                counts[pair] += table[word]
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        for symbols in words.values():
            i = 0
            while i < len(symbols) - 1:
                if (symbols[i], symbols[i + 1]) == best:
                    symbols[i : i + 2] = [best[0] + best[1]]
                i += 1
        vocab[len(vocab)] = best[0] + best[1]
        merges.append(best)
    return vocab, merges


def work(parts, queue, started):
    started.set()
    for part in parts:
        queue.put(Counter(PATTERN.findall(part)))
    queue.put(None)


def train_byte_bpe(input_path, vocab_size, special_tokens):
    with open(input_path, "rb") as file:
        text = file.read().decode("utf-8", errors="ignore")
    queue, started = multiprocessing.Queue(), multiprocessing.Event()
    cut = parts(text, special_tokens)
    workers = [
        multiprocessing.Process(target=work, args=(cut[i::2], queue, started)) for i in range(2)
    ]
    for worker in workers:
        worker.start()
    table, open_ends = Counter(), len(workers)
    while open_ends:
        found = queue.get()
        if found is None:
            open_ends -= 1
        else:
            table.update(found)
    for worker in workers:
        worker.join()
    assert started.is_set()
    return learn(table, special_tokens, vocab_size)
