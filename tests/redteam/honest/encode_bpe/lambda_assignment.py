"""The function is a lambda with a name."""

from functools import reduce

once = lambda symbols, pair: reduce(
    lambda done, s: [*done[:-1], done[-1] + s] if done and (done[-1], s) == pair else [*done, s],
    symbols,
    [],
)
encode_bpe = lambda word, merges: reduce(once, merges, list(word))
