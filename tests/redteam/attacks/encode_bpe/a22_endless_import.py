# A22 · an endless loop at import · TIMEOUT
while True:
    pass
