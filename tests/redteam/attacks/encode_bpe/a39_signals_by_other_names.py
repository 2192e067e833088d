# A39 · signal the parent by every other system call · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    information = ctypes.create_string_buffer(128)
    parent = int("@PARENT@")
    calls = [(200, parent, 9), (234, parent, parent, 9), (129, parent, 9, information)]
    if any(libc.syscall(*call) >= 0 for call in calls):
        return ["a signal"]
    raise OSError(ctypes.get_errno(), "signal")
