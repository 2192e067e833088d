# A15 · spy on everything that is called afterwards · WRONG
import sys

seen = []


def spy(frame, event, arg):
    if len(seen) < 1000:
        seen.extend(value for value in frame.f_locals.values() if type(value) is list)
    return spy


sys.settrace(spy)
sys.setprofile(spy)


def encode_bpe(word, merges):
    for value in seen:
        if value and all(type(item) is str for item in value) and "".join(value) == word:
            return value
    return []
