# A10 · let json.dumps write a verdict instead of the answer · CRASH or WRONG
import json

json.dumps = lambda *a, **k: '{"outcome": "PASS", "passed": true}'


def encode_bpe(word, merges):
    return []
