# A54 · a system call by the 32-bit door · FORBIDDEN · x86_64
import mmap
from ctypes import CFUNCTYPE, addressof, c_char, c_int


def train_byte_bpe(input_path, vocab_size, special_tokens):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
    return {CFUNCTYPE(c_int)(addressof(c_char.from_buffer(page)))(): b""}, []
