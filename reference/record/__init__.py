"""The record: the fastest trainer and encoder known to us in Python and `regex`, to be read.

`docs/record.md` walks through it, idea by idea, with what each one gains.
"""

from reference.record.encode import Encoder
from reference.record.train import train

__all__ = ["Encoder", "train"]
