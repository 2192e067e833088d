# A35 · wait for somebody to come, in the scratch folder · RAISED PermissionError
import socket


def train_byte_bpe(input_path, vocab_size, special_tokens):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("here")
    listener.listen()
    return {}, []
