# A12 · a module search path over the folder of secrets · RAISED ModuleNotFoundError
import sys

sys.path.insert(0, "@FOLDER@/..")
sys.path_importer_cache.clear()

import secret


def train_byte_bpe(input_path, vocab_size, special_tokens):
    return {0: secret.__doc__.encode()}, []
