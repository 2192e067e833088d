# A55 · programs and faults inside the kernel · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    room = ctypes.create_string_buffer(128)
    calls = [(321, 0, room, 128), (323, 0), (298, room, 0, -1, -1, 0), (317, 1, 0, room)]
    if any(libc.syscall(*call) >= 0 for call in calls):
        return ["reached"]
    if ctypes.get_errno() != 1:
        return ["reached", str(ctypes.get_errno())]
    raise OSError(1, "bpf, userfaultfd, perf_event_open, seccomp")
