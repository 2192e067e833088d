# A52 · source that the compiler cannot bear · RAISED or CRASH or MEMORY
exec("-" * 200_000 + "1")


def encode_bpe(word, merges):
    return []
