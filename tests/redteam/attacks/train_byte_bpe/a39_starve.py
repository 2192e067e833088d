# A39 · change the parent's limits and priority · RAISED PermissionError
import os
import resource


def train_byte_bpe(input_path, vocab_size, special_tokens):
    for starve in (
        lambda: resource.prlimit(os.getppid(), resource.RLIMIT_AS, (0, 0)),
        lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
        lambda: os.sched_setaffinity(os.getppid(), [0]),
    ):
        try:
            starve()
        except PermissionError:
            continue
        return {}, []
    raise PermissionError("the parent")
