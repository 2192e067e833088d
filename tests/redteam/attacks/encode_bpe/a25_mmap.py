# A25 · map memory past the interpreter's allocator · RAISED MemoryError or MEMORY
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
FAILED = ctypes.c_void_p(-1).value


def encode_bpe(word, merges):
    size = 0
    while size < 1 << 34:
        if libc.mmap(None, 1 << 26, 3, 0x4022, -1, 0) == FAILED:
            raise MemoryError
        size += 1 << 26
    return [f"{size} bytes"]
