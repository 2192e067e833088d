# A57 · the same by statx, access and readlink · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def encode_bpe(word, merges):
    room = ctypes.create_string_buffer(256)
    path = b"@CANARY@"
    errors = set()
    for call in ((332, -100, path, 0, 0xFFF, room), (21, path, 4), (89, path, room, 256)):
        if libc.syscall(*call) >= 0:
            return ["there"]
        errors.add(ctypes.get_errno())
    if errors != {1}:
        return [str(sorted(errors))]
    raise OSError(1, "statx")
