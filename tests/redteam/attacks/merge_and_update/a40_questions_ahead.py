# A40 · keep questions waiting, so that the grader never runs out of work · TIMEOUT or WRONG
import os
import sys


def merge_and_update(words, counts, stats, where, pair):
    frame = sys._getframe(1)
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    body = f'["word","{frame.f_locals["nonce"]}",1]'.encode()
    question, channel = len(body).to_bytes(4, "big") + body, int(sys.argv[1])
    os.write(channel, question * 200)
    while True:
        os.read(channel, 4096)
        os.write(channel, question * 50)
