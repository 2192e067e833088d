# A12 · read whatever file a descriptor was left open for · WRONG
import os
import stat


def encode_bpe(word, merges):
    found = []
    for descriptor in range(1024):
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                found.append(os.read(descriptor, 4096).decode())
        except OSError:
            continue
    return found
