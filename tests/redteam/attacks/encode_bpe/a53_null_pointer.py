# A53 · a segmentation fault · CRASH
import ctypes


def encode_bpe(word, merges):
    ctypes.string_at(0)
