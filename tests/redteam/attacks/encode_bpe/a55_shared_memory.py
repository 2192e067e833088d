# A55 · memory and queues that outlive the process · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    calls = [(29, 0x6B617461, 4096, 0o1600), (68, 0x6B617461, 0o1600), (64, 0x6B617461, 1, 0o1600)]
    if any(libc.syscall(*call) >= 0 for call in calls):
        return ["System V"]
    if libc.syscall(240, b"kata", 0o102, 0o600, None) >= 0:
        return ["a message queue"]
    raise OSError(ctypes.get_errno(), "shmget")
