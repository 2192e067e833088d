# A39 · timers that interrupt whoever inherits them · RAISED itimer_error
import _signal


def merge_and_update(words, counts, stats, where, pair):
    _signal.setitimer(_signal.ITIMER_REAL, 0.01, 0.01)
    return []
