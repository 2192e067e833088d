# A39 · stop oneself, so that nobody waits in vain for a death · RAISED PermissionError
import _signal


def merge_and_update(words, counts, stats, where, pair):
    _signal.raise_signal(_signal.SIGSTOP)
    return []
