# A35 · send it over UDP · RAISED PermissionError
import socket


def train_byte_bpe(input_path, vocab_size, special_tokens):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"secret", ("127.0.0.1", 53))
    return {}, []
