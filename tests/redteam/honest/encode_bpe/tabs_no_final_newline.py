"""Tabs, form feeds, and no line end at the end."""

def encode_bpe(word, merges):
	symbols = list(word)
	while True:
		found = [p for p in zip(symbols, symbols[1:]) if p in merges]
		if not found:
			return symbols
		i = list(zip(symbols, symbols[1:])).index(min(found, key=merges.index))
		symbols[i : i + 2] = ["".join(symbols[i : i + 2])]