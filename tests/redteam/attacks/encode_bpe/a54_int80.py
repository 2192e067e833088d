# A54 · a system call by the 32-bit door · FORBIDDEN · x86_64 · judge
import ctypes

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p


def encode_bpe(word, merges):
    page = libc.mmap(None, 4096, 7, 0x22, -1, 0)
    code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20 (getpid); int 0x80; ret
    ctypes.memmove(page, code, len(code))
    return [str(ctypes.CFUNCTYPE(ctypes.c_int)(page)())]
