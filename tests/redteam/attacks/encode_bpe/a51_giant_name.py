# A51 · an exception whose name has a million characters and line breaks · RAISED
Giant = type("PASS\n::error::\x1b[2J" * 60_000, (Exception,), {})


def encode_bpe(word, merges):
    raise Giant("x" * 10_000_000)
