# A11 · import the reference · RAISED ModuleNotFoundError · judge
from reference.encode_bpe import encode_bpe
