# A25 · catch MemoryError and go on · TIMEOUT or MEMORY
def encode_bpe(word, merges):
    kept = []
    while True:
        try:
            kept.append(bytearray(10_000_000))
        except MemoryError:
            continue
