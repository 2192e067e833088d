# A30 · stop every clock and take one's time · TIMEOUT
import time

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)


def encode_bpe(word, merges):
    while time.monotonic() < 1:
        pass
    return []
