# A35 · send it over TCP · RAISED PermissionError
import socket


def train_byte_bpe(input_path, vocab_size, special_tokens):
    socket.create_connection(("127.0.0.1", 80))
    return {}, []
