# A25 · allocate without end at import · MEMORY
kept = [bytearray(1 << 24)]
while True:
    kept.append(bytearray(1 << 24))
