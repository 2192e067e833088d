# A27 · vfork by machine code of one's own · RAISED PermissionError · x86_64
import ctypes

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p


def merge_and_update(words, counts, stats, where, pair):
    page = libc.mmap(None, 4096, 7, 0x22, -1, 0)
    code = b"\xb8\x3a\x00\x00\x00\x0f\x05\xc3"  # mov eax, 58 (vfork); syscall; ret
    ctypes.memmove(page, code, len(code))
    found = ctypes.CFUNCTYPE(ctypes.c_int)(page)()
    if found < 0:
        raise OSError(-found, "vfork")
    return [found]
