# A56 · mount, chroot and setns · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    calls = [(165, b"none", b"/tmp", b"tmpfs", 0, 0), (161, b"/tmp"), (308, 0, 0), (155, 0, 0)]
    errors = set()
    for call in calls:
        if libc.syscall(*call) >= 0:
            return ["reached"]
        errors.add(ctypes.get_errno())
    if errors != {1}:
        return [str(sorted(errors))]
    raise OSError(1, "mount")
