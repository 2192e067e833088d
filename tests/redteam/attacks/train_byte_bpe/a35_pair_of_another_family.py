# A35 · socket pairs of other families, which load kernel modules · RAISED PermissionError
import socket


def train_byte_bpe(input_path, vocab_size, special_tokens):
    socket.socketpair(socket.AF_INET, socket.SOCK_DGRAM)
    return {}, []
