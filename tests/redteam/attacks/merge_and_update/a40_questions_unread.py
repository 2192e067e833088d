# A40 · ask and never read what is answered · TIMEOUT
import os
import sys


def merge_and_update(words, counts, stats, where, pair):
    frame = sys._getframe(1)
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    body = f'["word","{frame.f_locals["nonce"]}",0]'.encode()
    question = len(body).to_bytes(4, "big") + body
    while True:
        os.write(int(sys.argv[1]), question * 1000)
